import { execFile } from 'node:child_process'
import { join } from 'node:path'

/** The largest output that is read, in bytes. */
const maxOutputBytes = 64 * 2 ** 20

/** A call of helm. */
export interface HelmCommand {
  readonly path: string
  readonly args: readonly string[]
  readonly input: string
  /** A folder for the files of helm other than the chart. */
  readonly home: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** The output of a call that failed. */
export class HelmFailure extends Error {
  override readonly name = 'HelmFailure'
  /** Whether the program was ended because it took too long or wrote too much. */
  readonly wasEnded: boolean

  constructor(message: string, wasEnded: boolean) {
    super(message)
    this.wasEnded = wasEnded
  }
}

/** The output of a call that succeeded. */
export interface HelmOutput {
  readonly stdout: string
  readonly stderr: string
}

/** Runs helm without a shell, and without the environment of this process. Rejects with {@link HelmFailure}. */
export function runHelm({ path, args, input, home, timeoutMs, signal }: HelmCommand): Promise<HelmOutput> {
  const env = {
    HOME: home,
    HELM_CACHE_HOME: join(home, 'cache'),
    HELM_CONFIG_HOME: join(home, 'config'),
    HELM_DATA_HOME: join(home, 'data'),
    KUBECONFIG: join(home, 'no-kubeconfig'),
  }
  const options = {
    env,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: maxOutputBytes,
    signal,
  } as const
  return new Promise((resolve, reject) => {
    const child = execFile(path, [...args], options, (error, stdout, stderr) => {
      if (!error) return resolve({ stdout, stderr })
      if (signal.aborted) return reject(signal.reason)
      reject(failureOf(error, stderr, timeoutMs))
    })
    // If helm ends before it has read its input, its status says so.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

function failureOf(error: Error, stderr: string, timeoutMs: number): HelmFailure {
  if ('code' in error && error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return new HelmFailure(`it renders to more than ${maxOutputBytes} bytes`, true)
  if ('killed' in error && error.killed)
    return new HelmFailure(
      `it was not rendered within ${timeoutMs / 1000} s; if it needs more time, set timeoutMs of helmRenderer`,
      true,
    )
  return new HelmFailure(stderr.trim() || error.message, false)
}
