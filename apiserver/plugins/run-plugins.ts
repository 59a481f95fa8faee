import { certificateSigners } from './certificate-signers.js'
import { certificateSubject } from './certificate-subject.js'
import { claimResize } from './claim-resize.js'
import { defaultIngressClass, defaultStorageClass } from './default-class.js'
import { limitRanger } from './limit-ranger.js'
import type { AdmissionPlugin, PluginWrite } from './plugin.js'
import { podSecurity } from './pod-security/pod-security.js'

/**
 * The admission plugins that a kube-apiserver runs by default in addition to the rules of each kind, and that depend on
 * other objects. The plugins for pods alone (service account, priority, runtime class, tolerations) are in
 * `apiserver/kinds/`, and webhooks in `apiserver/admission/`. `quota/` has ResourceQuota, which is checked last.
 */
const plugins: readonly AdmissionPlugin[] = [
  limitRanger,
  podSecurity,
  defaultStorageClass,
  claimResize,
  certificateSigners,
  certificateSubject,
  defaultIngressClass,
]

const byStorage = new Map<string, readonly AdmissionPlugin[]>()

/** The plugins for the resource of a write. */
function pluginsFor({ request: { resource } }: PluginWrite): readonly AdmissionPlugin[] {
  const existing = byStorage.get(resource.storage)
  if (existing !== undefined) return existing
  const ownPlugins = plugins.filter(({ storages }) => storages.includes(resource.storage))
  byStorage.set(resource.storage, ownPlugins)
  return ownPlugins
}

/** Lets the plugins complete the object of a create. */
export function mutateByPlugins(write: PluginWrite): void {
  for (const plugin of pluginsFor(write)) plugin.mutate?.(write)
}

/** Throws 403 if a plugin refuses a write. */
export function validateByPlugins(write: PluginWrite): void {
  for (const plugin of pluginsFor(write)) plugin.validate?.(write)
}
