import { resolve } from 'node:path'
import { compileCacheOf } from '../cli/bundle/compile-cache.js'
import { nodeFlags } from '../cli/program/node-flags.js'

/** The command that starts Node as the images of plugins and operators do, with their environment and flags. */
export const asInImage: readonly string[] = [
  'env',
  'MALLOC_ARENA_MAX=1',
  'MALLOC_MMAP_THRESHOLD_=131072',
  'MALLOC_TRIM_THRESHOLD_=131072',
  process.execPath,
  ...nodeFlags,
]

/** The same with the compile cache of a bundle. */
export const withCompileCache = (bundle: string): readonly string[] => [
  'env',
  `NODE_COMPILE_CACHE=${resolve(compileCacheOf(bundle))}`,
  ...asInImage.slice(1),
]
