import type { Transport, TransportRequest } from '../../sdk/engine/transport/transport.js'

/** The calls of a program. */
export interface RecordedCalls {
  /** Verbs and resources as RBAC sees them, such as `get deployments.apps`. */
  readonly used: Set<string>
  /** The requests that the server refused with 403. */
  readonly forbidden: string[]
  /** A transport whose calls are recorded. */
  recording(inner: Transport): Transport
}

/** Records the calls of transports. */
export function recordCalls(): RecordedCalls {
  const used = new Set<string>()
  const forbidden: string[] = []
  const note = (request: TransportRequest) => {
    for (const call of callsOf(request)) used.add(call)
  }
  const recording = (inner: Transport): Transport => ({
    request: async (request) => {
      const answer = await inner.request(request)
      note(request)
      if (answer.status === 403) forbidden.push(`${request.method} ${request.path}`)
      return answer
    },
    stream: (request) => {
      note(request)
      return inner.stream(request)
    },
    close: () => inner.close(),
  })
  return { used, forbidden, recording }
}

/**
 * The verbs and the resource of a call, as RBAC sees them; none for discovery. An apply of a new object needs two
 * verbs.
 */
function callsOf({ method, path: whole, headers = {} }: TransportRequest): string[] {
  const { pathname, searchParams } = new URL(whole, 'https://server')
  const [, group = '', rest = ''] =
    /^\/apis\/([^/]+)\/[^/]+\/(.+)$/.exec(pathname) ?? /^\/api\/v1()\/(.+)$/.exec(pathname) ?? []
  if (rest === '') return []
  const [plural = '', name, subresource] = rest.replace(/^namespaces\/[^/]+\//, '').split('/')
  const resource = [plural, ...(subresource ? [subresource] : [])].join('/')
  const verb = verbOf(method, { isWatch: searchParams.has('watch'), isNamed: name !== undefined })
  const isApply = headers['content-type']?.includes('apply-patch') && subresource === undefined
  return [verb, ...(isApply ? ['create'] : [])].map(
    (one) => `${one} ${group === '' ? resource : `${resource}.${group}`}`,
  )
}

function verbOf(method: string, { isWatch, isNamed }: { isWatch: boolean; isNamed: boolean }): string {
  if (method !== 'GET')
    return { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }[method] ?? method
  if (isWatch) return 'watch'
  return isNamed ? 'get' : 'list'
}
