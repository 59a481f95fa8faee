import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs commands of a shell. The shell says how much CPU time its programs took. */
export async function timed(
  script: string,
  env: NodeJS.ProcessEnv,
): Promise<{ seconds: number; cpuSeconds: number }> {
  const startedMs = performance.now()
  const { stdout } = await promisify(execFile)('bash', ['-c', `set -e; ${script}; times`], { env })
  const [, children = ''] = stdout.trim().split('\n').slice(-2)
  return { seconds: (performance.now() - startedMs) / 1000, cpuSeconds: sumOf(children) }
}

/** The sum of times such as `1m2.345s`, in seconds. */
function sumOf(times: string): number {
  const found = [...times.matchAll(/(\d+)m([\d.]+)s/g)]
  return found.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
}
