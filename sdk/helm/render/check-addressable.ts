import { isApiVersion } from '../../kube/api-version.js'
import { dnsLabelRule, isDnsLabel } from '../../kube/dns-label.js'
import type { KubeObject } from '../../kube/object.js'
import { objectsOf } from './manifest.js'
import type { ReleaseHook } from './release-hook.js'
import { RenderError } from './render-error.js'
import type { RenderedChart, RenderedObject } from './renderer.js'

/**
 * Rejects with `RenderError` for an object whose apiVersion, kind, namespace or name no API server has: they become parts of request
 * paths, and templates print text of users. Hooks that are tests never run, and are left out.
 */
export async function checkAddressable({ objects, hooks, crds }: RenderedChart): Promise<void> {
  const running = hooks.filter(({ events }) => events.some((event) => event !== 'test'))
  const ofHooks = await Promise.all(running.map(objectsOfHook))
  for (const { source, object } of [...objects, ...ofHooks.flat(), ...crds]) {
    const problem = problemOf(object)
    if (problem) throw new RenderError('RenderError', `${source} renders to ${whatOf(object)} ${problem}`)
  }
}

async function objectsOfHook({ path, manifest }: ReleaseHook): Promise<RenderedObject[]> {
  return (await objectsOf(manifest)).map(({ object }) => ({ source: path, object }))
}

const longestName = 253
/** The API server refuses names with `/` or `%`. No kind has a name with spaces or control characters. */
const name = /^[^/%\s\p{Cc}]+$/u

function problemOf({ apiVersion = '', kind = '', metadata }: KubeObject): string | undefined {
  const { namespace } = metadata
  if (!isApiVersion(String(apiVersion)))
    return `with the apiVersion ${shown(apiVersion)}; use v1, or GROUP/VERSION`
  if (!/^[A-Za-z][A-Za-z0-9]{0,62}$/.test(kind)) return `with the kind ${shown(kind)}; use letters and digits`
  if (!isName(metadata.name)) return `with the name ${shown(metadata.name)}; use letters, digits, "-" and "."`
  if (namespace === undefined || namespace === null || namespace === '' || isDnsLabel(namespace))
    return undefined
  return `with the namespace ${shown(namespace)}; ${dnsLabelRule}`
}

const isName = (text = '') => text.length <= longestName && name.test(text) && text !== '.' && text !== '..'

function whatOf({ kind = '' }: KubeObject): string {
  return /^[A-Za-z]+$/.test(kind) ? `an object of kind ${kind}` : 'an object'
}

const mostShown = 80
const shown = (value: unknown) => {
  const text = JSON.stringify(value) ?? ''
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
}
