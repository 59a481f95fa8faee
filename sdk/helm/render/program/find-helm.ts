import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** A `helm` program. */
export interface HelmProgram {
  readonly path: string
  readonly major: number
  readonly minor: number
  /** The version of the program, such as `4.1.4`. */
  readonly version: string
}

/** Whether a program has every flag that is used. */
export function isNewEnough({ major, minor }: HelmProgram): boolean {
  return major > 3 || (major === 3 && minor >= 13)
}

/** Finds out the version of a program. Resolves to nothing if it does not exist, or does not answer as helm does. */
export async function helmProgram(path: string): Promise<HelmProgram | undefined> {
  const output = await promisify(execFile)(path, ['version', '--short'], { timeout: 10_000 }).then(
    ({ stdout }) => stdout,
    () => '',
  )
  const [, version = '', major = '', minor = ''] = /^v((\d+)\.(\d+)\.\d+)/.exec(output) ?? []
  return version === '' ? undefined : { path, version, major: Number(major), minor: Number(minor) }
}
