import { createRequire } from 'node:module'
import type * as esbuild from 'esbuild'
import { PluginError } from '../../sdk/kube/error.js'

/**
 * The esbuild that a program's own project has. Throws `PluginError` `NO_ESBUILD` where it has none: the SDK does not bring
 * one along, because whoever runs a plugin needs none.
 */
export function loadEsbuild(program: string): typeof esbuild {
  try {
    return createRequire(program)('esbuild')
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'MODULE_NOT_FOUND')) throw cause
    const message = `cannot find esbuild from ${program}; run npm install --save-dev esbuild`
    throw new PluginError('NO_ESBUILD', message, { cause })
  }
}
