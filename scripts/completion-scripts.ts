export async function completionScripts(): Promise<Record<string, string>> {
  return {};
}
