import { createRequire } from 'node:module'
import type * as esbuild from 'esbuild'
import { PluginError } from '../../sdk/engine/kube/error.js'

/**
 * Loads esbuild from a program's own project. Throws `PluginError` `NO_ESBUILD` if the project does not have it. The
 * SDK does not depend on esbuild, because a running plugin does not need it.
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
