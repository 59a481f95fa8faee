import { createApiServer } from '../../../apiserver/api-server.js'
import * as builtin from '../../../sdk/engine/kube/builtin.js'
import * as policies from '../../../sdk/engine/kube/builtin-policies.js'
import * as workloads from '../../../sdk/engine/kube/builtin-workloads.js'
import { PluginError } from '../../../sdk/engine/kube/error.js'
import { formatResource, type Resource } from '../../../sdk/engine/kube/resource.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { servedKinds } from '../../clusters/served-kinds.js'
import { closestName } from '../../terminal/closest-name.js'
import { sampleContents } from '../sample/builtin-samples.js'
import { namesOfKind } from './names.js'
import type { KindDesign, KindSource } from './plugin-design.js'

/** The built-in kinds, as an embedded API server serves them. */
export async function builtinKinds(): Promise<readonly Resource[]> {
  const server = await createApiServer({ name: 'virtual' })
  const kinds = await servedKinds(inProcessTransport(server))
  await server.close()
  return kinds
}

/** Finds a built-in kind by any of kubectl's names for it. Throws `PluginError` `UNKNOWN_KIND`. */
export async function builtinKind(kindName: string): Promise<KindDesign> {
  const lowerCaseName = kindName.toLowerCase()
  const kinds = await builtinKinds()
  const resource = kinds.find((kind) => spellings(kind).includes(lowerCaseName))
  if (!resource) throw noSuchKindError(kindName, kinds)
  const names = namesOfKind(resource)
  const content = sampleContents[formatResource(resource)] ?? { content: {} }
  const source = sourceOf(resource)
  const sdkName = source.from === 'sdk' ? sdkNameOf(resource) : undefined
  return { resource, source, names: sdkName ? { ...names, pluralName: sdkName } : names, ...content }
}

/** The names of a kind that kubectl accepts, in lower case. */
function spellings({ kind, plural, group }: Resource): string[] {
  const singular = kind.toLowerCase()
  return [singular, plural, `${plural}.${group}`, `${singular}.${group}`]
}

function noSuchKindError(kindName: string, kinds: readonly Resource[]): PluginError {
  if (/[/\\]|\.(ya?ml|json)$/.test(kindName))
    return new PluginError(
      'UNKNOWN_KIND',
      `there is no file ${kindName}; --kind takes a kind, or the YAML file of its definition`,
    )
  const meant = closestName(kindName.toLowerCase(), [...kinds.flatMap(spellings), ...otherPrograms])
  return new PluginError(
    'UNKNOWN_KIND',
    `there is no built-in kind ${kindName} and no file of that name. ${meant ? `Did you mean ${meant}? ` : ''}Pass a kind as for kubectl (configmaps, ` +
      'deployments.apps), the YAML file of a CustomResourceDefinition, or operator, helm, module or cnpg for another program',
  )
}

/** The values of `--kind` that name a type of program instead of a kind. */
const otherPrograms = ['operator', 'helm', 'module', 'cnpg']

/** The name of the SDK's constant for a kind, such as `configMaps`; undefined if the SDK has none. */
function sdkNameOf(resource: Resource): string | undefined {
  const resourceEntry = Object.entries({ ...builtin, ...workloads, ...policies }).find(
    ([, candidate]) => candidate.kind === resource.kind && candidate.group === resource.group,
  )
  return resourceEntry?.[0]
}

/** The generated types whose name is not version and kind; `undefined` for a kind without a type. */
const irregularTypes: Readonly<Record<string, string | undefined>> = {
  'events.events.k8s.io': 'EventsV1Event',
  'mutatingadmissionpolicies.admissionregistration.k8s.io': undefined,
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': undefined,
}

/** The source of the type and the resource of a kind in the generated code. */
function sourceOf(resource: Resource): KindSource {
  if (sdkNameOf(resource)) return { from: 'sdk' }
  const name = formatResource(resource)
  const { version, kind } = resource
  const type = name in irregularTypes ? irregularTypes[name] : `${version.replace('v', 'V')}${kind}`
  return { from: 'kubernetes', type: type ?? '' }
}
