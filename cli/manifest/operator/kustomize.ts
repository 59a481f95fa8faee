import type { KubeObject } from '../../../sdk/kube/object.js'
import { formatted } from '../../terminal/output.js'
import type { OperatorObjects } from './operator-objects.js'

/** A file of the kustomize layout. */
export interface LayoutFile {
  /** Relative, with slashes. */
  path: string
  text: string
}

/**
 * The kustomize layout that kubebuilder's users know: `crd/ rbac/ manager/ webhook/ metrics/ network-policy/ samples/`, each with its
 * kustomization, and one above them without the samples.
 */
export async function kustomizeLayout(
  objects: OperatorObjects,
  samples: readonly KubeObject[],
): Promise<LayoutFile[]> {
  const folders = Object.entries(objects).filter(([, list]) => list.length > 0)
  const all = samples.length > 0 ? [...folders, ['samples', samples] as const] : folders
  const parts = await Promise.all(all.map(([folder, list]) => folderFiles(folder, list)))
  return [
    await kustomization(
      '',
      folders.map(([folder]) => folder),
    ),
    ...parts.flat(),
  ]
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
