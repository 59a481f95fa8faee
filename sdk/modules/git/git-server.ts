// A repository on a server that speaks version 2 of git's protocol by HTTP. https://git-scm.com/docs/protocol-v2
import { trimEndSlashes } from '../../engine/kube/trim-slashes.js'
import { nameOfUrl } from '../program/allow-list.js'
import { type RequestLimits, requestAllowed, type ServerAnswer } from '../program/checked-request.js'
import { checkStatus } from '../program/fetch-program.js'
import { GitError, serverText } from './git-error.js'
import { delimiter, flush, lineOf, type Packet, packet, readPackets } from './packets.js'

const service = 'git-upload-pack'
const version2 = { 'git-protocol': 'version=2' }
/** The most bytes of a list of refs: 1 MiB. */
const refsLimitBytes = 2 ** 20

/** The requests to one repository. */
export interface GitServerOptions extends RequestLimits {
  /** The most bytes of objects that are read from one answer, packed. */
  readonly packLimitBytes: number
}

/** The parts of a fetch. */
export interface GitFetch {
  /** The names of the objects. */
  readonly wanted: readonly string[]
  /** Whether the content of files is left out. */
  readonly withoutFiles?: boolean
}

/** A repository, after the first request. */
export class GitServer {
  /** Whether the server can leave out the content of files. */
  readonly canFilter: boolean
  readonly #url: string
  readonly #options: GitServerOptions

  private constructor(url: string, capabilities: ReadonlyMap<string, string>, options: GitServerOptions) {
    this.#url = url
    this.#options = options
    this.canFilter = capabilities.get('fetch')?.split(' ').includes('filter') ?? false
  }

  /**
   * Reads the capabilities of a server. Rejects with a {@link GitError} if the server does not support version 2 of the
   * protocol, or names objects by another hash than SHA-1.
   */
  static async connect(repo: string, options: GitServerOptions): Promise<GitServer> {
    const first = `${trimEndSlashes(repo)}/info/refs?service=${service}`
    return requestAllowed(first, { ...options, headers: version2 }, async (answer) => {
      checkAnswer(answer, 'advertisement')
      const capabilities = capabilitiesOf([...readPackets(await answer.read(refsLimitBytes, 'list of refs'))])
      const format = capabilities.get('object-format') ?? 'sha1'
      if (format !== 'sha1')
        throw new GitError(`${nameOf(repo)}: its objects have names by ${format}, and only sha1 is supported`)
      // After a redirect, further requests go to the server that answered, as with git.
      const { origin, pathname } = answer.url
      if (!pathname.endsWith('/info/refs'))
        throw new GitError(`${nameOf(repo)} redirects to ${nameOfUrl(answer.url)}, which is not a repository`)
      const isSame = origin === new URL(repo).origin
      const { authorization, ...others } = options
      const url = origin + pathname.slice(0, -'/info/refs'.length)
      return new GitServer(url, capabilities, isSame ? { ...others, authorization } : others)
    })
  }

  /** The commit that a branch, a tag or a full commit name represents; undefined if the repository has none. */
  async resolve(revision: string): Promise<string | undefined> {
    if (/^[0-9a-f]{40}$/.test(revision)) return revision
    const names = revision.startsWith('refs/')
      ? [revision]
      : [`refs/heads/${revision}`, `refs/tags/${revision}`]
    const args = ['peel', ...names.map((name) => `ref-prefix ${name}`)]
    const answer = await this.#post('ls-refs', args, refsLimitBytes, 'list of refs')
    const refs = new Map([...readPackets(answer)].map(lineOf).map(refOf))
    return names.map((name) => refs.get(name)).find((commit) => commit !== undefined)
  }

  /** Fetches objects and what they contain, without the history of commits. Returns them as a pack. */
  async fetch({ wanted, withoutFiles = false }: GitFetch): Promise<Buffer> {
    const args = [
      ...['no-progress', 'ofs-delta', 'deepen 1'],
      ...(withoutFiles ? ['filter blob:none'] : []),
      ...wanted.map((name) => `want ${name}`),
      'done',
    ]
    const answer = await this.#post('fetch', args, this.#options.packLimitBytes, 'content of the repository')
    return packOf(readPackets(answer))
  }

  async #post(command: string, args: readonly string[], limitBytes: number, what: string): Promise<Buffer> {
    const body = Buffer.concat([
      ...[packet(`command=${command}`), packet('object-format=sha1'), delimiter],
      ...[...args.map(packet), flush],
    ])
    const headers = {
      ...version2,
      'content-type': `application/x-${service}-request`,
      accept: `application/x-${service}-result`,
    }
    return requestAllowed(`${this.#url}/${service}`, { ...this.#options, headers, body }, async (answer) => {
      checkAnswer(answer, 'result')
      return answer.read(limitBytes, what)
    })
  }
}

function checkAnswer(answer: ServerAnswer, part: string): void {
  const { status, url, headers } = answer
  if (status === 401 || status === 403)
    throw new GitError(
      `${nameOfUrl(url)}: the server answered ${status}; name a Secret with credentials that may read the repository`,
    )
  checkStatus(answer)
  const expected = `application/x-${service}-${part}`
  const { 'content-type': type = '' } = headers
  if (type.split(';')[0]?.trim() === expected) return
  throw new GitError(
    `${nameOfUrl(url)}: the server does not speak git's protocol by HTTP; it answered ${serverText(Buffer.from(type)) || 'without a type'}`,
  )
}

/** Lines such as `fetch=shallow filter`, after `version 2`. */
function capabilitiesOf(packets: readonly Packet[]): Map<string, string> {
  const lines = packets.map(lineOf)
  if (!lines.includes('version 2'))
    throw new GitError("the server does not speak version 2 of git's protocol, which git has since 2.18")
  return new Map(
    lines.map((line) => {
      const end = line.indexOf('=')
      return end < 0 ? [line, ''] : [line.slice(0, end), line.slice(end + 1)]
    }),
  )
}

/** A line such as `<name of the object> refs/tags/v1 peeled:<name of its commit>`. */
function refOf(line: string): [string, string | undefined] {
  const [object, name = '', ...attributes] = line.split(' ')
  const peeled = attributes.find((one) => one.startsWith('peeled:'))?.slice('peeled:'.length)
  const commit = peeled ?? object
  return [name, commit !== undefined && /^[0-9a-f]{40}$/.test(commit) ? commit : undefined]
}

/**
 * The pack in the last section of an answer; its packets begin with a byte: 1 for content, 2 for progress, 3 for an
 * error.
 */
function packOf(packets: Iterable<Packet>): Buffer {
  const parts: Buffer[] = []
  let isPack = false
  for (const packet of packets) {
    if (typeof packet === 'string') continue
    if (!isPack) isPack = lineOf(packet) === 'packfile'
    else if (packet[0] === 1) parts.push(packet.subarray(1))
    else if (packet[0] === 3) throw new GitError(`the server refuses: ${serverText(packet.subarray(1))}`)
  }
  if (!isPack) throw new GitError('the answer has no objects')
  return Buffer.concat(parts)
}

const nameOf = (repo: string): string => (URL.canParse(repo) ? nameOfUrl(new URL(repo)) : repo.slice(0, 200))
