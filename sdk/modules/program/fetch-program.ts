// Programs, charts and other files from HTTP and HTTPS servers.
import { nameOfUrl } from './allow-list.js'
import { type RequestLimits, requestAllowed, type ServerAnswer } from './checked-request.js'
import { ProgramError } from './program-error.js'
import { programLimitBytes } from './unpack-program.js'

/** How a program is fetched. */
export interface FetchOptions extends RequestLimits {
  /** Most bytes of the answer. Default: 8 MiB. */
  readonly limitBytes?: number | undefined
  /** The file in messages. Default: `program`. */
  readonly what?: string | undefined
}

const accept = 'text/javascript, application/javascript, application/octet-stream, */*;q=0.1'

/**
 * Fetches the content of an allowed URL. Follows up to 3 redirects to allowed URLs, and stops reading at the limit.
 * Throws `PROGRAM_NOT_ALLOWED`, `PROGRAM_UNREACHABLE`, `PROGRAM_TOO_LARGE` or `INVALID_PROGRAM`.
 */
export async function fetchProgram(text: string, options: FetchOptions): Promise<Buffer> {
  const { limitBytes = programLimitBytes, what = 'program', ...limits } = options
  return requestAllowed(text, { ...limits, headers: { accept } }, async (answer) => {
    checkStatus(answer)
    if (/^text\/html\b/i.test(answer.headers['content-type'] ?? ''))
      throw new ProgramError(
        'INVALID_PROGRAM',
        `${nameOfUrl(answer.url)}: the server answered with a web page (text/html), not a ${what}`,
      )
    return answer.read(limitBytes, what)
  })
}

/** Throws `PROGRAM_UNREACHABLE` unless a server has answered with 200. */
export function checkStatus({ url, status }: Pick<ServerAnswer, 'url' | 'status'>): void {
  if (status === 200) return
  throw new ProgramError(
    'PROGRAM_UNREACHABLE',
    `${nameOfUrl(url)}: the server answered ${status}, expected 200`,
  )
}
