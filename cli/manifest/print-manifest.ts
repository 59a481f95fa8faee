import uniqBy from 'lodash/uniqBy.js'
import type { CnpgPluginDescription } from '../../sdk/cnpg/description.js'
import { checkDnsLabel } from '../../sdk/engine/kube/dns-label.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { PluginDescription } from '../../sdk/vcluster/plugin/description.js'
import { checkDefinitions } from '../definitions/check-definitions.js'
import { helmValues } from '../helm/helm-values.js'
import { valuesSchema } from '../helm/values-schema.js'
import { type Description, describeAnyProgram } from '../program/describe-program.js'
import { type FoundPlugin, findPlugin } from '../program/find-plugin.js'
import { formatted } from '../terminal/output.js'
import { UsageError } from '../terminal/usage-error.js'
import { operatorChart } from './chart/operator-chart.js'
import { programVersion } from './chart/program-version.js'
import { standaloneChart } from './chart/standalone-chart.js'
import { tokens } from './chart/tokens.js'
import { writeChart } from './chart/write-chart.js'
import { cnpgNamespace, cnpgObjects, serviceName } from './cnpg/cnpg-objects.js'
import { readPreviousSecrets } from './cnpg/previous-secrets.js'
import { selfSignedSecrets } from './cnpg/self-signed.js'
import { kustomizeLayout, rbacAndManager, writeLayout } from './kustomize.js'
import type { ManifestOptions } from './manifest-options.js'
import { modeFor } from './mode-for.js'
import { printOperator } from './operator/print-operator.js'
import { standaloneObjects } from './standalone-objects.js'

type AskedOptions = Omit<ManifestOptions, 'folder' | 'image'> & { image: string }

/**
 * Prints Helm values or objects that deploy the program in a folder. Throws `PluginError` if the folder has no plugin,
 * the plugin fails, or it cannot run in that mode.
 */
export async function printManifest({ folder, ...options }: ManifestOptions): Promise<void> {
  const plugin = await findPlugin(folder)
  if (options.helmChart !== undefined)
    return writeChartOf(plugin, { ...options, helmChart: options.helmChart })
  const namespace = options.requestedNamespace
  const description = await describeAnyProgram(plugin, { namespace })
  const image = options.image ?? `${plugin.name}:dev`
  checkOptionsFit(description, options)
  checkName(plugin, description)
  if (!options.operator.uninstall) await checkKinds(description)
  if (description.kind === 'OperatorDescription')
    return printOperator(description, {
      ...options.operator,
      pod: options.pod,
      kustomize: options.kustomize,
      folder,
      image,
      createsNamespace: namespace === undefined,
    })
  if (description.kind === 'CnpgPluginDescription') return printCnpg(description, { ...options, image })
  return printPlugin(description, { ...options, image })
}

/** Throws `UsageError` for options that are for another kind of program. */
function checkOptionsFit(
  { kind }: Description,
  { mode, schema, selfSigned, renew }: Pick<ManifestOptions, 'mode' | 'schema' | 'selfSigned' | 'renew'>,
): void {
  if (kind !== 'CnpgPluginDescription' && (selfSigned || renew !== undefined))
    throw new UsageError(
      '--self-signed and --renew are for plugins for CloudNativePG; remove them: this program needs no such certificates',
    )
  if (kind === 'PluginDescription') return
  if (mode !== undefined)
    throw new UsageError('--mode is for plugins of a vcluster; remove it: this program has one mode')
  if (schema) throw new UsageError('--schema is for plugins of a vcluster: other programs have no values')
}

/** A plugin has the name of its folder, which is the name of containers and objects. Other programs set their own. */
function checkName({ folder }: FoundPlugin, { kind, name }: Description): void {
  if (kind !== 'PluginDescription') return
  checkDnsLabel(
    `the name of the plugin in ${folder}, which is "name" in package.json or else that of the folder,`,
    name,
  )
}

/** The program runs in the namespace of the tokens, which helm replaces. */
async function writeChartOf(
  plugin: FoundPlugin,
  manifestOptions: Omit<ManifestOptions, 'folder' | 'helmChart'> & { helmChart: string },
): Promise<void> {
  const description = await describeAnyProgram(plugin, { namespace: tokens.namespace })
  const { image = `${plugin.name}:dev`, vclusterName, operator, pod } = manifestOptions
  const version = await programVersion(plugin.path)
  checkOptionsFit(description, manifestOptions)
  checkName(plugin, description)
  await checkKinds(description)
  if (description.kind === 'OperatorDescription') {
    const options = { ...operator, pod, image, createsNamespace: false }
    return writeChart(manifestOptions.helmChart, operatorChart(description, options, version))
  }
  if (description.kind !== 'PluginDescription' || modeFor(description, manifestOptions) !== 'standalone')
    throw new UsageError(
      '--chart is for operators and standalone plugins; for a plugin add --mode standalone, or print the values of the chart of vcluster without --chart',
    )
  return writeChart(
    manifestOptions.helmChart,
    standaloneChart(description, { image, vclusterName, pod }, version),
  )
}

/** Refuses to print a kind that no API server takes. The same kind in several clusters is checked once. */
async function checkKinds(description: Description): Promise<void> {
  if (description.kind !== 'OperatorDescription') return
  const kinds = uniqBy(description.kinds, ({ definition }) => definition.metadata.name)
  await checkDefinitions(kinds.map(({ definition, unchecked = [] }) => ({ definition, unchecked })))
}

async function printCnpg(
  description: CnpgPluginDescription,
  { requestedNamespace, operator, image, selfSigned, renew, pod, ...printOptions }: AskedOptions,
): Promise<void> {
  if (printOptions.kustomize !== undefined && (selfSigned || renew !== undefined))
    throw new UsageError(
      '--kustomize does not go with --self-signed and --renew, which print private keys: pipe those to kubectl, or use cert-manager',
    )
  const { replicas, memoryMiB } = operator
  const namespace = requestedNamespace ?? cnpgNamespace
  const service = serviceName(description.name)
  const previous = renew === undefined ? undefined : await readPreviousSecrets(renew, service)
  const secrets =
    selfSigned || previous ? selfSignedSecrets({ service, namespace, previous, now: new Date() }) : undefined
  const objects = cnpgObjects(description, { image, namespace, replicas, memoryMiB, secrets, pod })
  return printObjects(objects, printOptions)
}

async function printPlugin(description: PluginDescription, options: AskedOptions): Promise<void> {
  if (options.schema) return write(`${JSON.stringify(valuesSchema(description), undefined, 2)}\n`)
  const mode = modeFor(description, options)
  if (mode === 'standalone') return printObjects(standaloneObjects(description, options), options)
  if (options.kustomize !== undefined)
    throw new UsageError(
      '--kustomize is for programs with a Deployment of their own; for a plugin add --mode standalone, or print the values of the chart of vcluster without --kustomize',
    )
  if (options.pod)
    throw new UsageError(
      '--env, --env-from, --image-pull-secret, --node-selector and --toleration are for programs with a Deployment of their own; the Pod of this plugin is that of its vcluster: set controlPlane.statefulSet in its values, and env of the plugin',
    )
  return write(await helmValues(description, { ...options, mode }))
}

/** Prints the objects, or writes them for kustomize, without samples: those are for other clusters or namespaces. */
async function printObjects(
  objects: readonly KubeObject[],
  { kustomize }: Pick<ManifestOptions, 'kustomize'>,
): Promise<void> {
  if (kustomize === undefined) return write(await formatted({ table: [], data: objects }, 'yaml'))
  return writeLayout(kustomize, await kustomizeLayout(rbacAndManager(objects), []))
}

const write = (text: string) => void process.stdout.write(text)
