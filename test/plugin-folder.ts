import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Test } from 'tap'
import { typeScriptFlags } from './plugin-process.js'

/** A folder of plugins with one program, as vcluster would start it. */
export function pluginFolder(t: Test, main: string): string {
  const folder = join(t.testdir({ plugins: {} }), 'plugins/example')
  mkdirSync(folder)
  const sdk = resolve('.')
  const launcher = [
    '#!/bin/sh',
    `cd ${sdk} && exec ${process.execPath} ${typeScriptFlags(main).join(' ')} ${resolve(main)}`,
  ]
  writeFileSync(join(folder, 'plugin'), `${launcher.join('\n')}\n`)
  chmodSync(join(folder, 'plugin'), 0o755)
  return folder
}

/** The environment of a vcluster process that the plugins of tests need. */
export const environment = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  TMPDIR: '/tmp',
  METRICS_ADDRESS: '0',
}
