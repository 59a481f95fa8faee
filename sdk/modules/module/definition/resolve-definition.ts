import type { Client } from '../../../engine/client/client.js'
import { type ConfigMap, configMaps } from '../../../engine/kube/builtin.js'
import { isNotFound, PermanentError } from '../../../engine/kube/error.js'
import { fewNames } from '../../../engine/kube/few-names.js'
import type { Module, NamedObject } from '../../kinds/module.js'
import type { LoadedProgram } from '../../program/load-program.js'
import {
  containerKind,
  type Definition,
  helmKind,
  oneOrigin,
  originOfProgram,
  type ProgramOrigin,
  readDefinitionText,
  readModuleDefinition,
} from './definition.js'

/** Reads the parts of a definition from ConfigMaps, Secrets and servers. */
export interface DefinitionReader {
  readonly client: Client
  readonly signal: AbortSignal
  /** Fetches a text from a server. */
  fetchText(url: string): Promise<string>
  /** The credentials of a server, from a Secret. */
  readAuthorization(secret: NamedObject): Promise<string>
  /** The copy of a program, if there is one. */
  readCopy(digest: string): Promise<LoadedProgram | undefined>
}

/** A definition and the origin of its program; the origin is undefined for another kind of manager. */
export interface ResolvedDefinition {
  readonly definition: Definition
  readonly origin: ProgramOrigin | undefined
}

/** Reads the definition that a Module names. Throws a `PermanentError` for a source that this SDK does not support. */
export async function resolveDefinition(
  module: Module,
  reader: DefinitionReader,
): Promise<ResolvedDefinition> {
  const resolved = await resolveParts(module, reader)
  return { ...resolved, definition: withSchema(resolved.definition, module) }
}

/** Adds the configuration schema that the Module has next to its spec. Throws if the definition has one as well. */
function withSchema(definition: Definition, { config }: Pick<Module, 'config'>): Definition {
  if (!config) return definition
  if (definition.config === undefined || definition.config === null) return { ...definition, config }
  throw new PermanentError(
    'the schema of the configuration is in the definition and in config next to spec: remove one of them',
  )
}

/** Reads the definition and the origin of its program by the one member of `spec` that names them. */
async function resolveParts(module: Module, reader: DefinitionReader): Promise<ResolvedDefinition> {
  const { source, custom, helm } = module.spec
  if (helm) return { definition: definitionOfHelm(helm), origin: undefined }
  if (custom?.image !== undefined) return { definition: definitionOfContainer(custom), origin: undefined }
  if (custom) return { definition: definitionOfCustom(), origin: originOfCustom(custom) }
  if (!source) throw new PermanentError('a Module needs one of spec.source, spec.helm and spec.custom')
  const definition = withContainerKind(await definitionOfSource(source, reader))
  return { definition, origin: definition.kind === 'Custom' ? originOfProgram(definition) : undefined }
}

/** Changes a definition of the kind Custom that names the image of a container to the kind of containers. */
function withContainerKind(definition: Definition): Definition {
  const { image, repo } = definition.spec
  if (definition.kind !== 'Custom' || image === undefined) return definition
  if (repo !== undefined)
    throw new PermanentError('the spec of the definition has an image and a repo: remove one of them')
  return { ...definition, kind: containerKind }
}

function definitionOfCustom(): Definition {
  return { kind: 'Custom', metadata: {}, config: undefined, spec: {} }
}

function definitionOfHelm(spec: Record<string, unknown>): Definition {
  return { kind: helmKind, metadata: {}, config: undefined, spec }
}

function definitionOfContainer({ program, ...spec }: NonNullable<Module['spec']['custom']>): Definition {
  if (program) throw new PermanentError('spec.custom has an image and a program: remove one of them')
  return { kind: containerKind, metadata: {}, config: undefined, spec }
}

function originOfCustom({ program }: NonNullable<Module['spec']['custom']>): ProgramOrigin {
  if (program) return oneOrigin(program)
  throw new PermanentError('spec.custom needs an image or a program')
}

/** Reads the definition of `spec.source`, which must name exactly one place. */
async function definitionOfSource(
  source: NonNullable<Module['spec']['source']>,
  reader: DefinitionReader,
): Promise<Definition> {
  const namedSources = (['raw', 'configMap', 'httpURL', 'existingHelmRelease'] as const).filter(
    (sourceName) => source[sourceName],
  )
  if (namedSources.length !== 1)
    throw new PermanentError(
      `spec.source needs exactly one of raw, configMap, httpURL and existingHelmRelease, got ${namedSources.join(', ') || 'none'}`,
    )
  const { raw, configMap, httpURL, existingHelmRelease } = source
  if (raw) return readModuleDefinition(raw, 'spec.source.raw')
  if (configMap)
    return readDefinitionText(
      await readText(configMap, reader),
      `ConfigMap ${configMap.namespace}/${configMap.name}`,
    )
  if (httpURL)
    return readDefinitionText(await reader.fetchText(httpURL), 'the definition of spec.source.httpURL')
  return definitionOfHelm({ existingRelease: existingHelmRelease })
}

/** Reads the text of a key of a ConfigMap. */
async function readText(
  { name, namespace, key }: { name: string; namespace: string; key: string },
  reader: DefinitionReader,
): Promise<string> {
  const { data = {} } = await readConfigMap({ name, namespace }, reader)
  const text = Object.hasOwn(data, key) ? data[key] : undefined
  if (text !== undefined) return text
  const keys = fewNames(Object.keys(data).sort())
  throw new Error(`ConfigMap ${namespace}/${name} has no key ${key}; its keys are ${keys}`)
}

/** A ConfigMap that a Module names. It may be created later, so its absence is not permanent. */
export async function readConfigMap(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  { client, signal }: Pick<DefinitionReader, 'client' | 'signal'>,
): Promise<ConfigMap> {
  return client.get(configMaps, { namespace, name }, { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    throw new Error(
      `ConfigMap ${namespace}/${name} does not exist; create it, or correct the name in the Module`,
    )
  })
}
