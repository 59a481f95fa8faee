/** The view that the address of the page names: `#/objects?state=pending`. */
export interface Route {
  readonly name: string
  readonly query: URLSearchParams
}

/** Names of views in addresses of earlier versions. */
const formerNames: Readonly<Record<string, string>> = {
  syncers: 'overview',
  pairs: 'objects',
  pair: 'object',
  plugin: 'program',
}

/** Reads the part of an address after `#`. */
export function routeOf(hash: string): Route {
  const [, name = '', query = ''] = /^#\/([a-z]*)(?:\?(.*))?$/.exec(hash) ?? []
  return { name: formerNames[name] ?? (name || 'overview'), query: new URLSearchParams(query) }
}

/** An address within the page. */
export function hashOf(name: string, query: Readonly<Record<string, string>> = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== '')
  const text = new URLSearchParams(entries).toString()
  return text === '' ? `#/${name}` : `#/${name}?${text}`
}

/** The address of one object of a syncer or a controller. */
export const objectHash = (key: { syncer: string; namespace: string; name: string }) =>
  hashOf('object', { syncer: key.syncer, namespace: key.namespace, name: key.name })
