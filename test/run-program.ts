import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { root } from './dev-run.js'

/**
 * Runs a program and resolves with its standard output. Rejects with all output if it fails. Programs of this project's
 * packages, and of scripts/tools, are found by name. `env -u` removes NODE_OPTIONS, because tap adds its own options to
 * it for every child.
 */
export function run(cwd: string, [program = '', ...args]: readonly string[]): Promise<string> {
  const own = ['', 'scripts/tools'].map((folder) => join(root, folder, 'node_modules/.bin'))
  const path = [...own, process.env.PATH].join(':')
  const env = { ...process.env, PATH: path, METRICS_ADDRESS: '0' }
  const command = ['-u', 'NODE_OPTIONS', program, ...args]
  return new Promise((resolve, reject) => {
    execFile('env', command, { cwd, env, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}\n${stdout}\n${stderr}`)) : resolve(stdout),
    )
  })
}
