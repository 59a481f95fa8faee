import { access, readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { toolVersions } from './tool-versions.js'

const sdkName = 'vcluster-plugin-sdk'

interface Manifest {
  version: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

/** The npm packages of a new plugin. */
export interface SdkPackages {
  /** The version of this SDK. */
  version: string
  /** The versions of packages, by name; the SDK's may be a path. */
  versions: Record<string, string>
  /** The SDK's tarball, which is copied to the plugin's folder for image builds and CI. */
  tarball: string | undefined
}

/**
 * The versions of the packages of a new plugin: those that this SDK is tested with, and the SDK from the source of this
 * program, which is the registry, a tarball or a clone. Throws `PluginError` `NO_SDK` if its tarball or folder does not
 * exist.
 */
export async function sdkPackages(sdkSpec: string | undefined): Promise<SdkPackages> {
  const root = await packageRoot()
  const { version, dependencies, devDependencies } = await readManifest(join(root, 'package.json'))
  const sdk = sdkSpec ? absoluteSpec(sdkSpec) : ((await sourceOf(root)) ?? version)
  const tarball = sdk.startsWith(file) && sdk.endsWith('.tgz') ? sdk.slice(file.length) : undefined
  if (sdk.startsWith(file)) await checkExists(sdk.slice(file.length))
  const spec = tarball ? `${file}${basename(tarball)}` : sdk
  const versions = { ...dependencies, ...devDependencies, ...toolVersions, [sdkName]: spec }
  return { version, versions, tarball }
}

const file = 'file:'

/** Makes a path absolute, because npm would resolve it in the new folder. */
function absoluteSpec(given: string, from = '.'): string {
  const spec = /^[^:]+\.tgz$/.test(given) ? `${file}${given}` : given
  return spec.startsWith(file) ? `${file}${resolve(from, spec.slice(file.length))}` : spec
}

async function checkExists(path: string): Promise<void> {
  await access(path).catch((cause) => {
    const message = `${path} does not exist; make the SDK's package with npm pack, or pass another with --sdk`
    throw new PluginError('NO_SDK', message, { cause })
  })
}

/** The folder of this program's package.json; its path from here differs between sources and build. */
async function packageRoot(): Promise<string> {
  const manifest = fileURLToPath(import.meta.resolve('vcluster-plugin-sdk/package.json'))
  return dirname(manifest)
}

async function readManifest(path: string): Promise<Manifest> {
  const { version, dependencies = {}, devDependencies = {} } = JSON.parse(await readFile(path, 'utf8'))
  return { version, dependencies, devDependencies }
}

/**
 * The source of this package if it is not a registry: the folder of a clone, or the path that npm installed it from.
 */
async function sourceOf(root: string): Promise<string | undefined> {
  if (basename(dirname(root)) !== 'node_modules') return `${file}${root}`
  const project = dirname(dirname(root))
  const { dependencies, devDependencies } = await readManifest(join(project, 'package.json')).catch(
    () => emptyManifest,
  )
  const spec = dependencies[sdkName] ?? devDependencies[sdkName]
  return spec?.startsWith(file) ? absoluteSpec(spec, project) : undefined
}

const emptyManifest: Manifest = { version: '', dependencies: {}, devDependencies: {} }
