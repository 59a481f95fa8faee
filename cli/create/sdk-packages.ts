import { access, readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PluginError } from '../../sdk/kube/error.js'

const sdkName = 'vcluster-plugin-sdk'

interface Manifest {
  version: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

/** What a new plugin needs of npm. */
export interface SdkPackages {
  /** The versions of packages, by name; the SDK's may be a path. */
  versions: Record<string, string>
  /** The SDK's tarball, which goes into the plugin's folder, so that an image and a CI find it there. */
  tarball: string | undefined
}

/**
 * The versions of the packages that a new plugin needs: those that this SDK is tested with, and the SDK itself from
 * where this program came, which is the registry, a tarball or a clone. Throws `PluginError` `NO_SDK` where the tarball
 * that was asked for is missing.
 */
export async function sdkPackages(asked: string | undefined): Promise<SdkPackages> {
  const root = await packageRoot()
  const { version, dependencies, devDependencies } = await readManifest(join(root, 'package.json'))
  const sdk = asked ? absolute(asked) : ((await sourceOf(root)) ?? version)
  const tarball = sdk.startsWith(file) && sdk.endsWith('.tgz') ? sdk.slice(file.length) : undefined
  if (tarball) await mustBeThere(tarball)
  const spec = tarball ? `${file}${basename(tarball)}` : sdk
  return { versions: { ...dependencies, ...devDependencies, [sdkName]: spec }, tarball }
}

const file = 'file:'

/** npm would take a path from the new folder, and a person means it from this one. */
function absolute(spec: string, from = '.'): string {
  return spec.startsWith(file) ? `${file}${resolve(from, spec.slice(file.length))}` : spec
}

async function mustBeThere(tarball: string): Promise<void> {
  await access(tarball).catch((cause) => {
    const message = `${tarball} does not exist; make the SDK's package with npm pack, or pass another with --sdk`
    throw new PluginError('NO_SDK', message, { cause })
  })
}

/** The folder of this program's package.json; the build is one folder deeper than the sources. */
async function packageRoot(): Promise<string> {
  const manifest = fileURLToPath(import.meta.resolve('vcluster-plugin-sdk/package.json'))
  return dirname(manifest)
}

async function readManifest(path: string): Promise<Manifest> {
  const { version, dependencies = {}, devDependencies = {} } = JSON.parse(await readFile(path, 'utf8'))
  return { version, dependencies, devDependencies }
}

/** Where npm had the package from, if not from a registry; a clone is a folder of its own. */
async function sourceOf(root: string): Promise<string | undefined> {
  if (basename(dirname(root)) !== 'node_modules') return `${file}${root}`
  const project = dirname(dirname(root))
  const { dependencies, devDependencies } = await readManifest(join(project, 'package.json')).catch(
    () => nothing,
  )
  const spec = dependencies[sdkName] ?? devDependencies[sdkName]
  return spec?.startsWith(file) ? absolute(spec, project) : undefined
}

const nothing: Manifest = { version: '', dependencies: {}, devDependencies: {} }
