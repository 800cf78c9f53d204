export type Makers<T> = { readonly [Name in keyof T]: () => T[Name] };

/**
 * Defines properties whose values are made at first access. Returns a function that gives a property's value if it has
 * been made, otherwise undefined.
 */
export function defineLazyProperties<T extends object>(
  target: T,
  makers: Partial<Makers<T>>,
): <Name extends keyof T>(name: Name) => T[Name] | undefined {
  const made = new Set<PropertyKey>();
  for (const [name, make] of Object.entries<(() => unknown) | undefined>(makers)) {
    const get = (): unknown => {
      const value = make?.();
      Object.defineProperty(target, name, { value, enumerable: true });
      made.add(name);
      return value;
    };
    Object.defineProperty(target, name, { get, enumerable: true, configurable: true });
  }
  return (name) => (made.has(name) ? target[name] : undefined);
}
