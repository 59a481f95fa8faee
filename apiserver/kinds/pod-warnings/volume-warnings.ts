import { recordOf, textAt } from '../../base/object.js'
import { fractionalBytes } from './byte-warnings.js'
import { maxWarnings } from './max-warnings.js'
import { listAt } from './node-label-warnings.js'

type Source = Record<string, unknown>

/** Types of volumes that are not supported any more, in Go's order, with their names in the warning. */
const types: Readonly<Record<string, readonly [shownName: string, why: string]>> = {
  photonPersistentDisk: ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  gitRepo: ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  scaleIO: ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  flocker: ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  storageos: ['storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  quobyte: ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  glusterfs: ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  cephfs: ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  rbd: ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
}
const persistent = ['cephfs', 'photonPersistentDisk', 'scaleIO', 'storageos', 'glusterfs', 'rbd']

/** The warnings for the source of a PersistentVolume. */
export function persistentSourceWarnings(spec: Source, path: string): string[] {
  return persistent.flatMap((name) => typeWarning(spec, name, path))
}

/** The warnings for the volumes of a pod. */
export function volumeWarnings(spec: Source, path: string): string[] {
  const volumes = listAt(spec, 'volumes')
  return [
    ...volumes.flatMap((volume, index) => {
      const field = `${path}.volumes[${index}]`
      return [
        ...Object.keys(types).flatMap((name) => typeWarning(volume, name, field)),
        ...claimWarnings(volume, `${field}.ephemeral.volumeClaimTemplate.spec`),
      ]
    }),
    ...volumes.flatMap(overlapWarnings),
  ]
}

function typeWarning(source: Source, name: string, path: string): string[] {
  const [shownName, why] = types[name] ?? []
  return source[name] === undefined ? [] : [`${path}.${shownName}: ${why}`]
}

function claimWarnings({ ephemeral }: Source, path: string): string[] {
  const { resources } = recordOf(recordOf(recordOf(ephemeral).volumeClaimTemplate).spec)
  return storageWarnings(resources, path)
}

/** The warnings for the storage that a claim asks for. */
export function storageWarnings(resources: unknown, path: string): string[] {
  const { requests, limits } = recordOf(resources)
  return [
    ...fractionalBytes(`${path}.resources.requests`, requests, 'storage'),
    ...fractionalBytes(`${path}.resources.limits`, limits, 'storage'),
  ]
}

/** A file in a volume, and the object that it comes from. */
interface File {
  readonly path: string
  readonly source: string
}

/** Files of a volume that hide each other; `warningsForOverlappingVirtualPaths` of Kubernetes v1.36.3. */
function overlapWarnings(volume: Source): string[] {
  const name = textAt(volume, 'name')
  const { configMap, secret, downwardAPI, projected } = volume
  const warn = (kind: string, texts: readonly string[]) =>
    texts.map((text) => `volume "${name}" (${kind}): overlapping paths: ${text}`)
  return [
    ...warn(`ConfigMap "${textAt(configMap, 'name')}"`, overlapsOf(filesOf(configMap, ''))),
    ...warn(`Secret "${textAt(secret, 'secretName')}"`, overlapsOf(filesOf(secret, ''))),
    ...warn('DownwardAPI', overlapsOf(filesOf(downwardAPI, ''))),
    ...listAt(recordOf(projected), 'sources').flatMap((source) =>
      Object.keys(source).length === 0 ? [`volume "${name}" (Projected) has no sources provided`] : [],
    ),
    ...warn('Projected', overlapsOf(listAt(recordOf(projected), 'sources').flatMap(projectedFiles))),
  ]
}

const filesOf = (source: unknown, shownName: string): File[] =>
  listAt(recordOf(source), 'items').map((item) => ({ path: textAt(item, 'path'), source: shownName }))

/** The files of one source of a projected volume. */
function projectedFiles(source: Source): File[] {
  const { configMap, secret, downwardAPI, serviceAccountToken: token } = source
  if (configMap !== undefined) return filesOf(configMap, `ConfigMap "${textAt(configMap, 'name')}"`)
  if (secret !== undefined) return filesOf(secret, `Secret "${textAt(secret, 'name')}"`)
  if (downwardAPI !== undefined) return filesOf(downwardAPI, 'DownwardAPI')
  return token === undefined ? [] : [{ path: textAt(token, 'path'), source: 'ServiceAccountToken' }]
}

/** The maximum number of files of a volume that are compared, each with all files before it. */
const maxFiles = 2000

function overlapsOf(files: readonly File[]): string[] {
  const all = files.slice(0, maxFiles).map(({ path, source }) => ({ path: withoutEndSlashes(path), source }))
  const warnings: string[] = []
  for (const [index, file] of all.entries())
    for (const other of all.slice(0, index)) {
      if (warnings.length >= maxWarnings) return warnings
      if (isOverlap(file.path, other.path)) warnings.push(`${describeFile(file)} with ${describeFile(other)}`)
    }
  return warnings
}

/** The path without slashes at its end. A regular expression would take quadratic time. */
function withoutEndSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

function isOverlap(path: string, other: string): boolean {
  if (path === '' || other === '') return false
  return `${other}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${other}/`)
}

const describeFile = ({ path, source }: File) => (source === '' ? `"${path}"` : `"${path}" (${source})`)
