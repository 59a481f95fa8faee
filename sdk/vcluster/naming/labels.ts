import { safeConcatName, sha256Hex } from '../../engine/kube/concat-name.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { LabelMode } from '../context/register-context.js'
import {
  controlledByLabel,
  labelPrefix,
  markerLabel,
  namespaceLabel,
  namespaceLabelPrefix,
  ownPrefix,
  releaseLabel,
} from './ownership-keys.js'

/** Translates label keys of one vcluster to the host and back. Selectors use it too. */
export interface LabelScheme {
  /** The key on the host; `undefined` if this label must not be copied to the host. */
  hostKey(virtualKey: string): string | undefined
  /** The key in the virtual cluster; `undefined` if it is not a label of the user, or if only a hash is known. */
  virtualKey(hostKey: string): string | undefined
}

/** Options of {@link convertLabelKey}. */
export interface ConvertLabelKeyOptions {
  /** The prefix of the key; default `vcluster.loft.sh/label`. */
  prefix?: string
  /** The host namespace, for labels of cluster-scoped objects up to vcluster 0.20; default none. */
  hostNamespace?: string | undefined
}

/**
 * A label key that cannot collide with any other vcluster's: prefix, vcluster name and the first 10 hex
 * digits of the key's sha256, at most 63 bytes (`ConvertLabelKeyWithPrefix` in
 * `pkg/util/translate/single_namespace.go` @ vcluster v0.20.1).
 *
 * @example
 * ```ts
 * const key = convertLabelKey('app', 'vc')
 * console.log(key.startsWith('vcluster.loft.sh/label-vc-x-')) // true
 * console.log(key.length <= 63) // true
 * ```
 */
export function convertLabelKey(
  key: string,
  vclusterName: string,
  { prefix = labelPrefix, hostNamespace }: ConvertLabelKeyOptions = {},
): string {
  const scope = hostNamespace === undefined ? [vclusterName] : [hostNamespace, 'x', vclusterName]
  return safeConcatName(prefix, ...scope, 'x', sha256Hex(key).slice(0, 10))
}

/** Options of {@link labelScheme}. */
export interface LabelSchemeOptions {
  mode: LabelMode
  vclusterName: string
  /** Set for cluster-scoped kinds only: the host namespace, which is part of their hashed keys up to 0.20. */
  hostNamespace?: string
  /**
   * Whether `release` is copied under its own key, as vcluster does if each virtual namespace has its own host
   * namespace; default false. Has an effect only in mode `reserved`.
   */
  keepsRelease?: boolean
}

/** Makes the label scheme of a label mode. */
export function labelScheme(options: LabelSchemeOptions): LabelScheme {
  const { mode, vclusterName, hostNamespace, keepsRelease = false } = options
  return mode === 'hashed'
    ? hashedKeys(vclusterName, hostNamespace)
    : reservedKeys(vclusterName, keepsRelease)
}

/** The scheme up to vcluster 0.20, which rewrites every key. A hash cannot be read back. */
function hashedKeys(vclusterName: string, hostNamespace: string | undefined): LabelScheme {
  return {
    hostKey: (key) => convertLabelKey(key, vclusterName, { hostNamespace }),
    virtualKey: () => undefined,
  }
}

/**
 * The scheme since vcluster 0.21, which rewrites only the keys with a meaning on a host object. A virtual label that
 * looks like a rewritten one, or like a namespace's label on a Pod, could pass for an ownership label, so it is not
 * copied. The keys of the SDK itself, which select copies in the virtual cluster and the Leases of replicas on the
 * host, are not copied either.
 */
function reservedKeys(vclusterName: string, keepsRelease: boolean): LabelScheme {
  const plain = [...(keepsRelease ? [] : [releaseLabel]), namespaceLabel, markerLabel, controlledByLabel]
  const rewritten = new Map(plain.map((key) => [key, convertLabelKey(key, vclusterName)]))
  const readBack = new Map([...rewritten].map(([key, hostKey]) => [hostKey, key]))
  return {
    hostKey(key) {
      if (readBack.has(key) || key.startsWith(namespaceLabelPrefix) || key.startsWith(ownPrefix))
        return undefined
      return rewritten.get(key) ?? key
    },
    virtualKey(key) {
      if (rewritten.has(key) || key.startsWith(namespaceLabelPrefix) || key.startsWith(ownPrefix))
        return undefined
      return readBack.get(key) ?? key
    },
  }
}

const noKeys: ReadonlySet<string> = new Set()

/** Options of {@link hostLabels}. */
export interface HostLabelsOptions {
  scheme: LabelScheme
  /** The value of the marker label. */
  marker: string
  /** Selects the labels of the original that are copied. */
  accepts: (key: string) => boolean
  /** Keys of labels that belong to the host: never copied, never removed; default none. */
  excluded?: ReadonlySet<string>
}

/**
 * All labels of a copy: the rewritten labels of its original, and the ownership labels. All other labels of the copy
 * are removed, except `controlled-by`, which belongs to one side only, and the excluded labels.
 */
export function hostLabels(
  virtual: KubeObject,
  host: KubeObject | undefined,
  { scheme, marker, accepts, excluded = noKeys }: HostLabelsOptions,
): Record<string, string> {
  const { labels = {}, namespace } = virtual.metadata
  const entries: [string, string][] = []
  for (const [key, value] of Object.entries(labels)) {
    const hostKey = accepts(key) ? scheme.hostKey(key) : undefined
    const isCopied = hostKey !== undefined && !excluded.has(hostKey) && !isHelmRecord(hostKey, value)
    if (isCopied) entries.push([hostKey, value])
  }
  for (const [key, value] of Object.entries(host?.metadata.labels ?? {}))
    if (excluded.has(key)) entries.push([key, value])
  const controlledBy = host?.metadata.labels?.[controlledByLabel]
  if (controlledBy !== undefined) entries.push([controlledByLabel, controlledBy])
  entries.push([markerLabel, marker])
  if (namespace) entries.push([namespaceLabel, namespace])
  // `fromEntries` defines members and never assigns them: a key such as `__proto__` stays a key.
  return Object.fromEntries(entries)
}

/**
 * Whether a label makes Helm read an object as a release record. Helm looks records up by their labels alone, so a
 * tenant's copy could pass for a revision of the vcluster's own release (`pkg/storage/driver` @ helm v3).
 */
export function isHelmRecord(key: string, value: string): boolean {
  return key === 'owner' && value === 'helm'
}

/**
 * The labels of a copy translated back to those of its original, without ownership labels. A hashed key becomes the
 * original's key with that hash; without such a key the label is left out. Labels of the original that are not copied
 * are kept (`VirtualLabelsMap` in `pkg/util/translate/labels.go` @ vcluster v0.33.1).
 *
 * @example
 * ```ts
 * const labelsOf = (syncer: Translator<ConfigMap>, { host, virtual }: Pair<ConfigMap>) =>
 *   virtualLabels(host, syncer.naming.scheme, virtual)
 * ```
 */
export function virtualLabels(
  host: KubeObject,
  scheme: LabelScheme,
  virtual?: KubeObject,
): Record<string, string> {
  const hostLabelMap = new Map(Object.entries(host.metadata.labels ?? {}))
  const entries: [string, string][] = []
  for (const [key, value] of hostLabelMap) {
    const virtualKey = scheme.virtualKey(key)
    if (virtualKey !== undefined) entries.push([virtualKey, value])
  }
  for (const [key, value] of Object.entries(virtual?.metadata.labels ?? {})) {
    const hostKey = scheme.hostKey(key)
    const virtualValue = hostKey === undefined ? value : hostLabelMap.get(hostKey)
    if (virtualValue !== undefined) entries.push([key, virtualValue])
  }
  return Object.fromEntries(entries)
}
