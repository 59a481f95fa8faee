import { certificateSigners } from './certificate-signers.js'
import { certificateSubject } from './certificate-subject.js'
import { claimResize } from './claim-resize.js'
import { defaultIngressClass, defaultStorageClass } from './default-class.js'
import { limitRanger } from './limit-ranger.js'
import type { AdmissionPlugin, PluginWrite } from './plugin.js'
import { podSecurity } from './pod-security/pod-security.js'

/**
 * The room of admission plugins: what a kube-apiserver checks and completes by default in addition to the rules of each
 * kind, because of other objects. The plugins of pods alone (service account, priority, runtime class, tolerations) are
 * in `apiserver/kinds/`, and webhooks in `apiserver/admission/`. `quota/` has ResourceQuota, which is checked last.
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

/** The plugins that are about a resource. */
function pluginsFor({ request: { resource } }: PluginWrite): readonly AdmissionPlugin[] {
  const known = byStorage.get(resource.storage)
  if (known !== undefined) return known
  const own = plugins.filter(({ storages }) => storages.includes(resource.storage))
  byStorage.set(resource.storage, own)
  return own
}

/** Completes the object of a create. */
export function mutateByPlugins(write: PluginWrite): void {
  for (const plugin of pluginsFor(write)) plugin.mutate?.(write)
}

/** Throws 403 if a plugin refuses a write. */
export function validateByPlugins(write: PluginWrite): void {
  for (const plugin of pluginsFor(write)) plugin.validate?.(write)
}
