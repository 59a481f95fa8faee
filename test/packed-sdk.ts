import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, join, relative } from 'node:path'
import * as z from 'zod'
import { root } from './dev-run.js'
import { run } from './run-program.js'

const manifest = z
  .object({
    version: z.string(),
    files: z.array(z.string()),
    exports: z.record(z.string(), z.union([z.string(), z.object({ types: z.string() })])),
  })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))

/** The files of the package in addition to its build. */
const packed = ['package.json', 'README.md', 'LICENSE', ...manifest.files.filter((file) => file !== 'dist')]
const kept = join(root, '.tap/packed-sdk')
const tarballName = `vcluster-plugin-sdk-${manifest.version}.tgz`

/**
 * Packs the SDK as `npm pack` does, and writes the tarball to `folder` with npm's file name; returns its
 * path. Does not change the project's folders.
 */
export async function packSdk(folder: string): Promise<string> {
  const cached = join(await packedSdk(), tarballName)
  const tarball = join(folder, tarballName)
  mkdirSync(folder, { recursive: true })
  cpSync(cached, tarball)
  return tarball
}

/**
 * The declarations of the entry points, as `paths` of a tsconfig. A type check that reads them, and not the sources,
 * takes a third of the processor time.
 */
export async function sdkTypes(): Promise<Record<string, string[]>> {
  const folder = await packedSdk()
  const paths = Object.entries(manifest.exports).flatMap(([name, entry]) =>
    typeof entry === 'string' ? [] : [[join('vcluster-plugin-sdk', name), [join(folder, entry.types)]]],
  )
  return Object.fromEntries(paths)
}

/** The folder of the package with its tarball. A folder of the same sources by another test is reused. */
async function packedSdk(): Promise<string> {
  const folder = join(kept, digestOfSources())
  if (!existsSync(folder)) await makePackage(folder)
  return folder
}

/** Two processes may do this at once. The rename makes sure that the folder is complete. */
async function makePackage(folder: string): Promise<void> {
  mkdirSync(kept, { recursive: true })
  const stage = mkdtempSync(join(kept, 'stage-'))
  for (const file of packed) cpSync(join(root, file), join(stage, file), { recursive: true })
  // `npm run types` checks the types; here only the declarations are needed, fast.
  await run(root, ['tsc', '-p', 'tsconfig.build.json', '--noCheck', '--outDir', join(stage, 'dist')])
  await run(root, [process.execPath, 'scripts/prune-declarations.mjs', join(stage, 'dist')])
  await run(root, [process.execPath, 'scripts/strip-comments.mjs', join(stage, 'dist')])
  await run(root, ['scripts/helm-engine/copy', join(stage, 'dist')])
  await run(stage, ['npm', 'pack', '--ignore-scripts', '--silent'])
  // Another process may have made the same package meanwhile.
  for (const old of readdirSync(kept))
    if (!old.startsWith('stage-') && old !== basename(folder))
      rmSync(join(kept, old), { recursive: true, force: true })
  publish(stage, folder)
}

function publish(stage: string, folder: string): void {
  try {
    renameSync(stage, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(stage, { recursive: true })
  }
}

function digestOfSources(): string {
  const hash = createHash('sha256')
  for (const file of [
    ...packed,
    'sdk',
    'apiserver',
    'simulator',
    'testing',
    'cli',
    'tsconfig.json',
    'tsconfig.build.json',
    'scripts/prune-declarations.mjs',
    'scripts/strip-comments.mjs',
  ].flatMap(filesIn))
    hash.update(relative(root, file)).update('\0').update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

function filesIn(path: string): string[] {
  const full = join(root, path)
  if (!statSync(full).isDirectory()) return [full]
  const entries = readdirSync(full, { recursive: true, withFileTypes: true })
  // A changed test changes no package.
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
  return files.map((entry) => join(entry.parentPath, entry.name)).sort()
}
