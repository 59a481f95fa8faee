import type { Options } from 'yargs'
import { labelKeyProblems, labelValueProblems } from '../../sdk/engine/kube/label-syntax.js'
import type { PodOptions } from '../manifest/pod-options.js'
import { UsageError } from '../terminal/usage-error.js'
import { textFlag } from './flags.js'

/** The values of {@link podFlags}. */
export interface PodArguments {
  env: string[]
  envFrom: string[]
  imagePullSecret: string[]
  nodeSelector: string[]
  toleration: string[]
}

const listFlag = (describe: string): Options =>
  textFlag(`${describe}; may be repeated`, { array: true, nargs: 1, default: [] })

/** The flags for the Pods of a program with a Deployment of its own; in a chart, the defaults of values. */
export const podFlags: Readonly<Record<string, Options>> = {
  env: listFlag('Variable of the program, such as LOG_LEVEL=debug'),
  'env-from': listFlag('Variables from all keys of secret/NAME or configmap/NAME'),
  'image-pull-secret': listFlag('Secret with the credentials of the registry of the image'),
  'node-selector': listFlag('Label of the nodes on which the program runs, such as disk=ssd'),
  toleration: listFlag('Taint that the program tolerates: KEY, KEY:EFFECT or KEY=VALUE:EFFECT'),
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']
const variableName = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/
const objectName = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/

/** Reads the flags. Throws `UsageError` for a value that no API server takes. */
export function podOptionsOf(args: PodArguments): PodOptions {
  return {
    env: args.env.map((text) => {
      const [name, value] = pairIn('--env', text)
      return { name: checkForm('--env', name, variableName), value }
    }),
    envFrom: args.envFrom.map(sourceIn),
    imagePullSecrets: args.imagePullSecret.map((name) => ({
      name: checkForm('--image-pull-secret', name, objectName),
    })),
    nodeSelector: Object.fromEntries(
      args.nodeSelector.map((text) => labelOf('--node-selector', ...pairIn('--node-selector', text))),
    ),
    tolerations: args.toleration.map(tolerationIn),
  }
}

/** Whether a flag is given. */
export const hasPodOptions = (options: PodOptions): boolean =>
  Object.values(options).some((value) => Object.keys(Object(value)).length > 0)

function pairIn(flag: string, text: string): [string, string] {
  const equalsIndex = text.indexOf('=')
  if (equalsIndex < 0) throw new UsageError(`${flag} ${JSON.stringify(text)} has no value; write NAME=VALUE`)
  return [text.slice(0, equalsIndex), text.slice(equalsIndex + 1)]
}

/** A key and a value that are valid in a label. */
function labelOf(flag: string, key: string, value: string): [string, string] {
  const [ofKey] = labelKeyProblems(key)
  if (ofKey !== undefined) throw new UsageError(`${flag} ${JSON.stringify(key)} is not a valid key: ${ofKey}`)
  const [ofValue] = labelValueProblems(value)
  if (ofValue !== undefined)
    throw new UsageError(`${flag} ${JSON.stringify(value)} is not a valid value of ${key}: ${ofValue}`)
  return [key, value]
}

function sourceIn(text: string): object {
  const [type = '', name = '', ...excess] = text.split('/')
  const member = { secret: 'secretRef', configmap: 'configMapRef' }[type.toLowerCase()]
  if (!member || excess.length > 0)
    throw new UsageError(`--env-from ${JSON.stringify(text)} is not secret/NAME or configmap/NAME`)
  return { [member]: { name: checkForm('--env-from', name, objectName) } }
}

function tolerationIn(text: string): object {
  const [taint = '', effect, ...excess] = text.split(':')
  const [key = '', value, ...values] = taint.split('=')
  if (excess.length > 0 || values.length > 0 || (effect !== undefined && !effects.includes(effect)))
    throw new UsageError(
      `--toleration ${JSON.stringify(text)} is not KEY, KEY:EFFECT or KEY=VALUE:EFFECT with an effect of ${effects.join(', ')}`,
    )
  labelOf('--toleration', key, value ?? '')
  const matchedValue = value === undefined ? { operator: 'Exists' } : { operator: 'Equal', value }
  return { key, ...matchedValue, ...(effect !== undefined && { effect }) }
}

function checkForm(flag: string, name: string, form: RegExp): string {
  if (form.test(name)) return name
  throw new UsageError(`${flag} ${JSON.stringify(name)} is not a valid name`)
}
