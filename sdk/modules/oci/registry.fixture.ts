// An OCI registry on loopback with one chart, for tests.
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

const manifestType = 'application/vnd.oci.image.manifest.v1+json'
const chartType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip'
const configType = 'application/vnd.cncf.helm.config.v1+json'

/** The digest of some content. */
export const digestOfContent = (content: Uint8Array): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`

/** The manifest of a chart. */
export const manifestOf = (archive: Uint8Array) => ({
  schemaVersion: 2,
  mediaType: manifestType,
  config: { mediaType: configType, digest: digestOfContent(Buffer.from('{}')), size: 2 },
  layers: [{ mediaType: chartType, digest: digestOfContent(archive), size: archive.byteLength }],
})

/** A request that a registry got, with its credentials. */
export interface SeenRequest {
  readonly path: string
  readonly authorization: string | undefined
}

/** A running registry. */
export interface TestRegistry {
  readonly origin: string
  /** Its `oci:` URL, with the repository `charts`. */
  readonly url: string
  readonly requests: SeenRequest[]
  /** The manifests of the chart by their tags. */
  readonly manifests: Record<string, unknown>
  /** The contents by their digests. */
  readonly blobs: Record<string, Buffer>
  /** Answers before the registry does, if it returns true. */
  before: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** Options of {@link startRegistry}. */
export interface TestRegistryOptions {
  /** The challenge of each request without a token, with `ORIGIN` for the origin of the registry. Default: none. */
  readonly challenge?: string
  /** The `Authorization` that the server of tokens wants. Default: none. */
  readonly user?: string
}

/** The token of the registry. */
export const testToken = 'to-ken-of-the-registry'

/** Starts a registry. */
export async function startRegistry(
  t: Test,
  archive: Buffer,
  options: TestRegistryOptions = {},
): Promise<TestRegistry> {
  const registry = {
    origin: '',
    url: '',
    requests: [],
    before: () => false,
    manifests: { '1.2.0': manifestOf(archive) },
    blobs: { [digestOfContent(archive)]: archive },
  } as TestRegistry & { origin: string; url: string }
  const server = createServer(serverOf(registry, options))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  registry.origin = `http://127.0.0.1:${port}`
  registry.url = `oci://127.0.0.1:${port}/charts`
  return registry
}

/** Answers requests, which it notes: those for tokens, those without a token that need one, and those for content. */
const serverOf =
  (registry: TestRegistry, { challenge, user }: TestRegistryOptions) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const { url = '', headers } = request
    registry.requests.push({ path: url, authorization: headers.authorization })
    if (registry.before(request, response)) return
    if (url.startsWith('/token')) answerToken(request, response, user)
    else if (challenge !== undefined && headers.authorization !== `Bearer ${testToken}`)
      response
        .writeHead(401, { 'www-authenticate': challenge.replaceAll('ORIGIN', registry.origin) })
        .end('{}')
    else answer(registry, url, response)
  }

function answerToken({ headers }: IncomingMessage, response: ServerResponse, user: string | undefined): void {
  if (user !== undefined && headers.authorization !== user) response.writeHead(401).end()
  else response.end(JSON.stringify({ token: testToken, expires_in: 300 }))
}

function answer({ manifests, blobs }: TestRegistry, path: string, response: ServerResponse): void {
  const [, kind, name = ''] = /^\/v2\/charts\/web\/(tags|manifests|blobs)\/([^?]+)/.exec(path) ?? []
  const manifest = manifests[decodeURIComponent(name)]
  const content = kind === 'blobs' ? blobs[name] : undefined
  if (kind === 'tags') response.end(JSON.stringify({ name: 'charts/web', tags: Object.keys(manifests) }))
  else if (kind === 'manifests' && manifest !== undefined)
    response.setHeader('content-type', manifestType).end(JSON.stringify(manifest))
  else if (content) response.end(content)
  else response.writeHead(404).end('{}')
}
