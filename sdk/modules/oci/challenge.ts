// The authentication challenge of a registry: the header `WWW-Authenticate`.
// https://distribution.github.io/distribution/spec/auth/token/

/** A supported way to authenticate. */
export type Challenge =
  | { readonly scheme: 'basic' }
  | { readonly scheme: 'bearer'; readonly realm: string; readonly service?: string; readonly scope?: string }

/** Reads a challenge; undefined for an unsupported scheme. */
export function readChallenge(header: string | undefined): Challenge | undefined {
  const [, scheme = '', rest = ''] = /^\s*(\w+)\s*(.*)$/s.exec((header ?? '').slice(0, 4096)) ?? []
  if (scheme.toLowerCase() === 'basic') return { scheme: 'basic' }
  if (scheme.toLowerCase() !== 'bearer') return undefined
  const { realm, service, scope } = parametersOf(rest)
  if (realm === undefined) return undefined
  return {
    scheme: 'bearer',
    realm,
    ...(service !== undefined && { service }),
    ...(scope !== undefined && { scope }),
  }
}

/** Parameters such as `realm="https://auth.example/token",service="registry"`. */
function parametersOf(text: string): Record<string, string | undefined> {
  const matches = text.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)
  return Object.fromEntries(
    [...matches].map(([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain]),
  )
}

/** The URL that gives a token for a challenge. */
export function tokenUrl({ realm, service, scope }: Extract<Challenge, { scheme: 'bearer' }>): string {
  if (!URL.canParse(realm)) return realm
  const url = new URL(realm)
  if (service !== undefined) url.searchParams.set('service', service)
  if (scope !== undefined) url.searchParams.set('scope', scope)
  return url.href
}
