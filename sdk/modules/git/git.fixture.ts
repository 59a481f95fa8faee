// A git server on loopback, for tests: git's own CGI program behind an HTTP server.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'

const environment = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'test',
  GIT_AUTHOR_EMAIL: 'test@test.example',
  GIT_COMMITTER_NAME: 'test',
  GIT_COMMITTER_EMAIL: 'test@test.example',
}

/** Why the tests of a git server cannot run here; false if they can. */
export const withoutGit: string | false = (() => {
  try {
    execFileSync('git', ['http-backend'], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] })
    return false
  } catch (error) {
    // Without a request the program answers with an error, and it is there.
    return (error as { stdout?: Buffer }).stdout?.includes('Status:')
      ? false
      : 'git http-backend is not installed'
  }
})()

/** The files of a commit; `null` deletes one, and an object with `link` makes a link. */
export type CommitFiles = Record<string, string | Buffer | { readonly link: string } | null>

/** A repository with a working copy. */
export class TestRepository {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
    mkdirSync(folder, { recursive: true })
    this.git('init', '-q', '-b', 'main')
    this.git('config', 'uploadpack.allowFilter', 'true')
  }

  /** Runs git in the repository, and answers what it prints. */
  git(...args: string[]): string {
    // Named, so that git never looks for a repository in the folders above.
    const env = { ...environment, GIT_DIR: join(this.folder, '.git'), GIT_WORK_TREE: this.folder }
    return execFileSync('git', args, { cwd: this.folder, env, encoding: 'utf8' }).trim()
  }

  /** Writes files and commits them. Answers the name of the commit. */
  commit(files: CommitFiles): string {
    for (const [name, content] of Object.entries(files)) {
      const path = join(this.folder, name)
      rmSync(path, { force: true })
      if (content === null) continue
      mkdirSync(dirname(path), { recursive: true })
      if (typeof content === 'string' || Buffer.isBuffer(content)) writeFileSync(path, content)
      else symlinkSync(content.link, path)
    }
    this.git('add', '-A')
    this.git('commit', '-q', '--allow-empty', '-m', 'change')
    return this.git('rev-parse', 'HEAD')
  }
}

/** A running server. */
export interface GitTestServer {
  /** The URL of the repository. */
  readonly url: string
  readonly origin: string
  readonly repository: TestRepository
  /** Answers a request as the server does. */
  readonly answer: RequestListener
  /** The requests, as `GET /web.git/info/refs`, each with its credentials. */
  readonly requests: { readonly path: string; readonly authorization: string | undefined }[]
}

/** A certificate of a server, and its key, in PEM. */
export interface ServerCertificate {
  readonly cert: string
  readonly key: string
}

/** Starts a server on loopback, with a certificate by HTTPS. Answers its origin. */
export async function serveHttp(
  t: Test,
  listener: RequestListener,
  certificate?: ServerCertificate,
): Promise<string> {
  const server = certificate ? createSecureServer({ ...certificate }, listener) : createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `${certificate ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts a server with the repository `web.git`, which may ask for credentials. */
export async function startGit(
  t: Test,
  {
    authorization,
    certificate,
  }: { readonly authorization?: string; readonly certificate?: ServerCertificate } = {},
): Promise<GitTestServer> {
  const root = mkdtempSync(join(tmpdir(), 'git-server-'))
  t.teardown(() => rmSync(root, { recursive: true, force: true }))
  const repository = new TestRepository(join(root, 'web.git'))
  const requests: GitTestServer['requests'] = []
  const answer: RequestListener = (request, response) => {
    requests.push({
      path: `${request.method} ${request.url?.replace(/\?.*/, '')}`,
      authorization: request.headers.authorization,
    })
    if (authorization !== undefined && request.headers.authorization !== authorization)
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    else answerByGit(root, request, response)
  }
  const origin = await serveHttp(t, answer, certificate)
  return { url: `${origin}/web.git`, origin, repository, requests, answer }
}

/** Answers a request by git's CGI program: https://git-scm.com/docs/git-http-backend */
function answerByGit(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
  const child = spawn('git', ['http-backend'], {
    env: {
      ...environment,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_ADDR: '127.0.0.1',
      PATH_INFO: pathname.replace(/^\/web\.git/, '/web.git/.git'),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      CONTENT_LENGTH: request.headers['content-length'] ?? '',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  request.pipe(child.stdin)
  child.stdin.on('error', () => {})
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.on('close', () => {
    const answer = Buffer.concat(chunks)
    const end = answer.indexOf('\r\n\r\n')
    const headers = answer.toString('latin1', 0, end).split('\r\n')
    const status = Number(/^Status: (\d+)/.exec(headers[0] ?? '')?.[1] ?? 200)
    const pairs = headers.filter((line) => !line.startsWith('Status:')).map((line) => line.split(': ', 2))
    response.writeHead(status, Object.fromEntries(pairs)).end(answer.subarray(end + 4))
  })
}
