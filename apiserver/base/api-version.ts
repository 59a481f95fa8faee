/** The group and version that an `apiVersion` names. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/')
  return { group: apiVersion.slice(0, Math.max(0, slash)), version: apiVersion.slice(slash + 1) }
}
