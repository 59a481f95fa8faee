/**
 * The programs of Modules that a folder lists in `vcluster-plugin.programs` of its package.json, as `dev` runs them:
 * each is built into a ConfigMap, again after each change, and the Modules that use it accept its new digest. The
 * cluster is an embedded one, where no other program relies on the digests.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, extname, join, relative } from 'node:path'
import type { Client } from '../../sdk/engine/client/client.js'
import { type ConfigMap, configMaps } from '../../sdk/engine/kube/builtin.js'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { formatKey, keyOf } from '../../sdk/engine/kube/key.js'
import type { Module } from '../../sdk/modules/kinds/module.js'
import { modules } from '../../sdk/modules/kinds/module-kind.js'
import { frozenDefinition } from '../../sdk/modules/module/definition/definition.js'
import { acceptDigestAnnotation } from '../../sdk/modules/module/installation/freeze.js'
import { retryAnnotation } from '../../sdk/modules/module/record/operation-record.js'
import { bundleProgram } from '../program-files/bundle-program.js'
import { type InspectedProgram, inspectProgram } from '../program-files/inspect-program.js'
import { programConfigMap } from '../program-files/program-objects.js'
import { programNamespace } from './programs/dev-program.js'

/** Options of {@link ModulePrograms}. */
export interface ModuleProgramsOptions {
  /** Absolute paths of the sources. */
  files: readonly string[]
  /** The folder for the built files. */
  dir: string
  client: Client
  /** Shows a message. */
  print: (message: string) => void
}

/** Builds the programs of Modules of a folder. */
export class ModulePrograms {
  readonly #options: ModuleProgramsOptions
  /** The digest of the last build, by source. */
  readonly #digests = new Map<string, string>()
  /** The last build; each begins after the one before. */
  #lastBuild: Promise<void> = Promise.resolve()

  constructor(options: ModuleProgramsOptions) {
    this.#options = options
  }

  /**
   * Builds all programs, after the builds before. Shows an error and goes on, because the next change may correct it.
   */
  build(): Promise<void> {
    const { files, print } = this.#options
    this.#lastBuild = this.#lastBuild.then(async () => {
      for (const file of files)
        await this.#build(file).catch((error: unknown) =>
          print(`${relative('.', file)} was not built: ${error instanceof Error ? error.message : error}`),
        )
    })
    return this.#lastBuild
  }

  /** Builds one program, and writes its ConfigMap if its digest has changed. */
  async #build(source: string): Promise<void> {
    const { client, print } = this.#options
    const built = await this.#inspect(source)
    const { digest } = built
    if (this.#digests.get(source) === digest) return
    const configMap = await writeConfigMap(client, built)
    this.#digests.set(source, digest)
    const updatedModules = await acceptDigest(client, { configMap, digest })
    const next =
      updatedModules.length === 0 ? '' : `; the next operation of ${updatedModules.join(', ')} uses it`
    print(`${relative('.', source)} is in ConfigMap ${formatKey(configMap)}, ${digest}${next}`)
  }

  /** Bundles a program into a file, and reads its name, version and digest from there. */
  async #inspect(source: string): Promise<InspectedProgram> {
    const folder = join(this.#options.dir, 'programs')
    await mkdir(folder, { recursive: true })
    const file = join(folder, `${basename(source, extname(source))}.mjs`)
    await writeFile(file, await bundleProgram(source))
    return inspectProgram(file)
  }
}

/** Writes the ConfigMap of a program. Unlike the ConfigMap of `module build`, it can be changed. */
async function writeConfigMap(client: Client, built: InspectedProgram) {
  const body = programConfigMap(built, programNamespace)
  if (!body)
    throw new PluginError(
      'PROGRAM_REFUSED',
      'it is too large for a ConfigMap, which holds 1 MiB; import less',
    )
  const { immutable: _, ...changeable } = body as ConfigMap
  const key = keyOf(changeable)
  await client.patch(configMaps, key, {
    type: 'apply',
    fieldManager: 'vcluster-plugin-dev',
    force: true,
    body: changeable,
  })
  return key
}

/**
 * Lets the Modules that use the program of a ConfigMap accept its new digest and try again. Returns the names of those
 * that had another digest.
 */
async function acceptDigest(
  client: Client,
  { configMap, digest }: { configMap: ReturnType<typeof keyOf>; digest: string },
): Promise<string[]> {
  const { items } = await client.listAll(modules)
  const updatedModules: string[] = []
  for (const module of items) {
    const { program } = (await frozenOf(module)) ?? {}
    const source = program?.configMap
    if (!source || formatKey(source) !== formatKey(configMap) || program.digest === digest) continue
    const annotations = { [acceptDigestAnnotation]: digest, [retryAnnotation]: digest }
    await client.patch(modules, keyOf(module), { type: 'merge', body: { metadata: { annotations } } })
    updatedModules.push(formatKey(keyOf(module)))
  }
  return updatedModules
}

/** The frozen definition of a Module; undefined if its text is invalid, which the run of the Module reports. */
const frozenOf = ({ metadata: { annotations } }: Module) =>
  frozenDefinition({ annotations }).catch(() => undefined)
