import type { CnpgPluginDescription } from '../../sdk/cnpg/description.js'
import type { PluginDescription } from '../../sdk/plugin/description.js'
import { helmValues } from '../helm/helm-values.js'
import { valuesSchema } from '../helm/values-schema.js'
import { describeAnyProgram } from '../program/describe-program.js'
import { findPlugin } from '../program/find-plugin.js'
import { formatted } from '../terminal/output.js'
import { UsageError } from '../terminal/usage-error.js'
import { cnpgNamespace, cnpgObjects, serviceName } from './cnpg/cnpg-objects.js'
import { readPreviousSecrets } from './cnpg/previous-secrets.js'
import { selfSignedSecrets } from './cnpg/self-signed.js'
import type { ManifestOptions } from './manifest-options.js'
import { modeFor } from './mode-for.js'
import { printOperator } from './operator/print-operator.js'
import { standaloneObjects } from './standalone-objects.js'

/**
 * Prints Helm values or objects that deploy the program in a folder. Throws `PluginError` if the folder has no plugin, the plugin
 * fails, or it cannot run in that mode.
 */
export async function printManifest({ folder, ...asked }: ManifestOptions): Promise<void> {
  const found = await findPlugin(folder)
  const namespace = asked.askedNamespace
  const description = await describeAnyProgram(found, { namespace })
  const image = asked.image ?? `${found.name}:dev`
  if (description.kind !== 'CnpgPluginDescription' && (asked.selfSigned || asked.renew !== undefined))
    throw new UsageError(
      '--self-signed and --renew are for plugins for CloudNativePG; remove them: this program needs no such certificates',
    )
  if (asked.schema && description.kind !== 'PluginDescription')
    throw new UsageError('--schema is for plugins of a vcluster: other programs have no values')
  if (description.kind === 'OperatorDescription')
    return printOperator(description, {
      ...asked.operator,
      folder,
      image,
      createsNamespace: namespace === undefined,
    })
  if (description.kind === 'CnpgPluginDescription') return printCnpg(description, { ...asked, image })
  process.stdout.write(await manifestOf(description, { ...asked, image }))
}

async function printCnpg(
  description: CnpgPluginDescription,
  { askedNamespace, operator, image, selfSigned, renew }: Omit<ManifestOptions, 'folder'> & { image: string },
): Promise<void> {
  const { replicas, memoryMiB } = operator
  const namespace = askedNamespace ?? cnpgNamespace
  const service = serviceName(description.name)
  const previous = renew === undefined ? undefined : await readPreviousSecrets(renew, service)
  const secrets =
    selfSigned || previous ? selfSignedSecrets({ service, namespace, previous, now: new Date() }) : undefined
  const objects = cnpgObjects(description, { image, namespace, replicas, memoryMiB, secrets })
  process.stdout.write(await formatted({ table: [], data: objects }, 'yaml'))
}

async function manifestOf(
  description: PluginDescription,
  options: Omit<ManifestOptions, 'folder' | 'image'> & { image: string },
): Promise<string> {
  if (options.schema) return `${JSON.stringify(valuesSchema(description), undefined, 2)}\n`
  const mode = modeFor(description, options)
  if (mode !== 'standalone') return helmValues(description, { ...options, mode })
  return formatted({ table: [], data: standaloneObjects(description, options) }, 'yaml')
}
