import { formatResource, type Resource } from '../../engine/kube/resource.js'
import { ClientHook } from '../hook/client-hook.js'
import { whyNotHooked } from '../hook/hooked-kinds.js'
import type { Runnable } from '../syncer/runnable.js'
import { Syncer } from '../syncer/syncer.js'

/** Describes likely mistakes in the registrations, which may be intended, in a sentence each. */
export function registrationWarnings(runnables: Iterable<Runnable>): string[] {
  const all = [...runnables]
  const syncers = all.filter((one) => one instanceof Syncer)
  const hooks = all.filter((one) => one instanceof ClientHook)
  return [
    ...syncers.flatMap((syncer, index) => sameCopies(syncer, syncers.slice(0, index))),
    ...hooks.flatMap((hook) => neverCalled(hook, syncers)),
  ]
}

/** Warns about two syncers that make copies of the same objects. */
function sameCopies(syncer: Syncer, before: readonly Syncer[]): string[] {
  const twins = before.filter((other) => isSameKind(other, syncer) && other.originals === syncer.originals)
  const { resource, originals } = syncer
  const cluster = originals === 'virtual' ? 'the virtual cluster' : 'the host'
  return twins
    .filter((other) => mayShareOriginals(other, syncer) && !(other.selects && syncer.selects))
    .map(
      ({ name }) =>
        `syncers ${name} and ${syncer.name} both copy ${formatResource(resource)} from ${cluster}: where they do not ` +
        'keep to different objects, one undoes what the other writes. Register one of them, or give each the option select, or a method selects.',
    )
}

/** Whether two syncers may have the same originals. Syncers of host objects may have separate namespaces. */
function mayShareOriginals(one: Syncer, other: Syncer): boolean {
  const [these, those] = [one.hostNamespaces, other.hostNamespaces]
  if (one.originals === 'virtual' || !these || !those || these.includes('') || those.includes('')) return true
  return these.some((namespace) => those.includes(namespace))
}

function neverCalled(hook: ClientHook, syncers: readonly Syncer[]): string[] {
  const twin = syncers.find((syncer) => isSameKind(syncer, hook) && syncer.originals === 'virtual')
  const why = twin ? ownSyncer(twin) : whyNotHooked(hook.resource)
  return why === undefined ? [] : [`hook ${hook.name}: ${why}.`]
}

const ownSyncer = ({ name, resource }: Syncer) =>
  `this plugin's own syncer ${name} copies ${formatResource(resource)}, for which vcluster's own syncer is switched off, ` +
  'so vcluster never calls the hook; change the copies in that syncer'

const isSameKind = (one: { resource: Resource }, other: { resource: Resource }) =>
  formatResource(one.resource) === formatResource(other.resource)
