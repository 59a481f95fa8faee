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
import { join, relative } from 'node:path'
import { z } from 'zod'
import { root } from './dev-run.js'
import { run } from './run-program.js'

const manifest = z
  .object({ version: z.string(), files: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))

/** What the package is made of, beside its build. */
const packed = ['package.json', 'README.md', 'LICENSE', ...manifest.files.filter((file) => file !== 'dist')]
const kept = join(root, '.tap/packed-sdk')

/**
 * Packs the SDK as `npm pack` does, and puts the tarball into `folder` under the name that npm gives it; answers its path.
 * The project's own folders stay as they are. A tarball of the same sources, made by another test, is taken again.
 */
export async function packSdk(folder: string): Promise<string> {
  const cached = join(kept, `${digestOfSources()}.tgz`)
  if (!existsSync(cached)) await makeTarball(cached)
  const tarball = join(folder, `vcluster-plugin-sdk-${manifest.version}.tgz`)
  mkdirSync(folder, { recursive: true })
  cpSync(cached, tarball)
  return tarball
}

/** Tests in two processes may do this at once: the tarball appears whole, and the later one replaces its equal. */
async function makeTarball(cached: string): Promise<void> {
  mkdirSync(kept, { recursive: true })
  const stage = mkdtempSync(join(kept, 'stage-'))
  for (const file of packed) cpSync(join(root, file), join(stage, file), { recursive: true })
  // Types are checked by `npm run types`; here their declarations are wanted, soon.
  await run(root, ['tsc', '-p', 'tsconfig.build.json', '--noCheck', '--outDir', join(stage, 'dist')])
  await run(stage, ['npm', 'pack', '--ignore-scripts', '--silent'])
  for (const old of readdirSync(kept)) if (old.endsWith('.tgz')) rmSync(join(kept, old))
  renameSync(join(stage, `vcluster-plugin-sdk-${manifest.version}.tgz`), cached)
  rmSync(stage, { recursive: true })
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
  ].flatMap(filesIn))
    hash.update(relative(root, file)).update('\0').update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

function filesIn(path: string): string[] {
  const full = join(root, path)
  if (!statSync(full).isDirectory()) return [full]
  const entries = readdirSync(full, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map((entry) => join(entry.parentPath, entry.name)).sort()
}
