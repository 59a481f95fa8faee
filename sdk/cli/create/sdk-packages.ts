import { readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const sdkName = 'vcluster-plugin-sdk'

interface Manifest {
  version: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

/**
 * The versions of the packages that a new plugin needs: those that this SDK is tested with, and the SDK itself from
 * where this program came, which is the registry, a tarball or a clone.
 */
export async function sdkPackages(asked: string | undefined): Promise<Record<string, string>> {
  const root = await packageRoot()
  const { version, dependencies, devDependencies } = await readManifest(join(root, 'package.json'))
  const sdk = asked ?? (await sourceOf(root)) ?? version
  return { ...dependencies, ...devDependencies, [sdkName]: sdk }
}

/** The folder of this program's package.json: two above in the sources, two above in the build. */
async function packageRoot(): Promise<string> {
  return fileURLToPath(new URL('../../..', import.meta.url)).replace(/[/\\]$/, '')
}

async function readManifest(file: string): Promise<Manifest> {
  const { version, dependencies = {}, devDependencies = {} } = JSON.parse(await readFile(file, 'utf8'))
  return { version, dependencies, devDependencies }
}

/** Where npm had the package from, if not from a registry; a clone is a folder of its own. */
async function sourceOf(root: string): Promise<string | undefined> {
  if (basename(dirname(root)) !== 'node_modules') return `file:${root}`
  const project = dirname(dirname(root))
  const { dependencies, devDependencies } = await readManifest(join(project, 'package.json')).catch(
    () => nothing,
  )
  const spec = dependencies[sdkName] ?? devDependencies[sdkName]
  return spec?.startsWith('file:') ? `file:${resolve(project, spec.slice('file:'.length))}` : undefined
}

const nothing: Manifest = { version: '', dependencies: {}, devDependencies: {} }
