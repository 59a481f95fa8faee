import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { root } from './dev-run.js'

/**
 * What a program prints; rejects with all of it when it fails. The programs of this project's packages are found by
 * their names.
 */
export function run(cwd: string, [program = '', ...args]: readonly string[]): Promise<string> {
  const PATH = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`
  const env = { ...process.env, PATH, METRICS_ADDRESS: '0', NODE_OPTIONS: '' }
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd, env, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}\n${stdout}\n${stderr}`)) : resolve(stdout),
    )
  })
}
