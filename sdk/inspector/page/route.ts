/** What the page shows, as its address says: `#/pairs?state=pending`. */
export interface Route {
  readonly name: string
  readonly query: URLSearchParams
}

/** Reads the part of an address after `#`. */
export function routeOf(hash: string): Route {
  const [, name = '', query = ''] = /^#\/([a-z]*)(?:\?(.*))?$/.exec(hash) ?? []
  return { name: name || 'syncers', query: new URLSearchParams(query) }
}

/** An address within the page. */
export function hashOf(name: string, query: Readonly<Record<string, string>> = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== '')
  const text = new URLSearchParams(entries).toString()
  return text === '' ? `#/${name}` : `#/${name}?${text}`
}
