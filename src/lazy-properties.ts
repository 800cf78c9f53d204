export type Makers<T> = { readonly [Name in keyof T]: () => T[Name] };

/**
 * Gives an object properties whose values are made when they are first asked for. Returns a look at what was made:
 * the value of a property, undefined while nobody has asked for it.
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
