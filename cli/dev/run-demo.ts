/**
 * `vcluster-plugin demo`: runs `dev` with a program that this command writes, so that the user needs neither a clone
 * nor a project.
 */
import { join } from 'node:path'
import { makeDemoFolder } from './demo-folder.js'
import { runDev } from './run-dev.js'

/** Options of {@link runDemo}. */
export interface DemoOptions {
  /** Mirror the samples, print a summary and exit. */
  readonly once: boolean
}

/**
 * Runs a plugin that copies ConfigMaps until it is stopped, or with `once` until the samples are mirrored, and removes
 * its folder. Throws the errors of `runDev`.
 */
export async function runDemo({ once }: DemoOptions): Promise<void> {
  const folder = await makeDemoFolder()
  process.stdout.write(`The program is ${join(folder.path, 'main.js')}, until this command ends.\n`)
  try {
    await runDev({
      folder: folder.path,
      dir: join(folder.path, '.vcluster-plugin'),
      state: undefined,
      samples: undefined,
      verbose: false,
      asAdmin: false,
      once,
      watch: !once,
      virtualPort: 0,
      hostPort: 0,
      vclusterPort: 0,
      inspect: undefined,
      vclusterName: 'dev',
      targetNamespace: 'vcluster-dev',
      mode: undefined,
      real: undefined,
      faults: {},
    })
  } finally {
    await folder.remove()
  }
}
