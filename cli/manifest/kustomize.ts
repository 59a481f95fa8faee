import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { writeNamed } from '../machine/write-named.js'
import { formatted } from '../terminal/output.js'

/** Objects by the folder of the kustomize layout that they belong to, in the order of their creation. */
export type ObjectFolders = Readonly<Record<string, readonly KubeObject[]>>

/** A file of the kustomize layout. */
export interface LayoutFile {
  /** Relative, with slashes. */
  path: string
  text: string
}

/**
 * The kustomize layout that kubebuilder's users know: a folder for each part, such as `rbac/` and `manager/`, and
 * `samples/`, each with its kustomization, and one above them without the samples.
 */
export async function kustomizeLayout(
  objects: ObjectFolders,
  samples: readonly KubeObject[],
): Promise<LayoutFile[]> {
  const folders = Object.entries(objects).filter(([, list]) => list.length > 0)
  const all = samples.length > 0 ? [...folders, ['samples', samples] as const] : folders
  const files = await Promise.all(all.map(([folder, list]) => folderFiles(folder, list)))
  return [
    await kustomization(
      '',
      folders.map(([folder]) => folder),
    ),
    ...files.flat(),
  ]
}

/** Writes the files below the folder, over those of the same names. */
export async function writeLayout(folder: string, files: readonly LayoutFile[]): Promise<void> {
  for (const { path, text } of files) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeNamed(file, text)
  }
}

/**
 * The folders of a program that runs as a Deployment in one namespace: its permissions in `rbac/`, all other objects in
 * `manager/`.
 */
export function rbacAndManager(objects: readonly KubeObject[]): ObjectFolders {
  const isRbac = ({ kind = '' }: KubeObject) => /^(ServiceAccount|(Cluster)?Role(Binding)?)$/.test(kind)
  return { rbac: objects.filter(isRbac), manager: objects.filter((object) => !isRbac(object)) }
}

async function folderFiles(folder: string, objects: readonly KubeObject[]): Promise<LayoutFile[]> {
  const text = await formatted({ table: [], data: objects }, 'yaml')
  const file = `${folder}.yaml`
  return [await kustomization(`${folder}/`, [file]), { path: `${folder}/${file}`, text }]
}

async function kustomization(prefix: string, resources: readonly string[]): Promise<LayoutFile> {
  const data = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources }
  return { path: `${prefix}kustomization.yaml`, text: await formatted({ table: [], data }, 'yaml') }
}
