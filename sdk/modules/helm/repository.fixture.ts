// A chart repository on loopback, for tests.
import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { webArchive } from './helm.fixture.js'

/** Ends things after a test. */
interface Tap {
  teardown(done: () => Promise<unknown>): void
}

/** The SHA-256 of an archive in hex. */
export const sha256 = (archive: Buffer): string => createHash('sha256').update(archive).digest('hex')

/** Starts an HTTP server on loopback, and answers its origin. */
export async function startServer(t: Tap, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise((resolve) => server.close(resolve)))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A running repository. */
export interface TestRepository {
  readonly url: string
  /** The paths that were asked for. */
  readonly paths: string[]
  /** The credentials of each request. */
  readonly credentials: (string | undefined)[]
  readonly contents: Record<string, string | Buffer>
  readonly archive: Buffer
}

/**
 * Starts a repository with the chart. It has `digest` in its index, asks for `authorization`, and names `archiveUrl`.
 */
export async function startRepository(
  t: Tap,
  {
    digest = sha256,
    authorization,
    archiveUrl = 'charts/web-1.2.0.tgz',
  }: { digest?: (archive: Buffer) => string; authorization?: string; archiveUrl?: string } = {},
): Promise<TestRepository> {
  const archive = await webArchive()
  const paths: string[] = []
  const credentials: (string | undefined)[] = []
  const index = [
    ...['apiVersion: v1', 'entries:', '  web:', '  - version: 1.2.0', `    digest: ${digest(archive)}`],
    ...[`    urls: ["${archiveUrl}"]`, ''],
  ].join('\n')
  const contents: Record<string, string | Buffer> = {
    '/stable/index.yaml': index,
    '/stable/charts/web-1.2.0.tgz': archive,
    '/stable/values.yaml': 'text: from a file\nreplicas: 5\n',
  }
  const origin = await startServer(t, ({ url: path = '', headers }, response) => {
    paths.push(path)
    credentials.push(headers.authorization)
    if (authorization !== undefined && headers.authorization !== authorization) response.writeHead(401).end()
    else response.writeHead(contents[path] === undefined ? 404 : 200).end(contents[path])
  })
  return { url: `${origin}/stable`, paths, credentials, contents, archive }
}
