import type { OpenObject } from '../base/object.js'
import type { KindServices } from '../resources/kind-rules.js'

const topologyLabels = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region']

/** The labels that a pod gets from its node; the admission plugin `PodTopologyLabels` of Kubernetes v1.36.3. */
function labelsOfNode(nodeName: string, { find }: Pick<KindServices, 'find'>): Record<string, string> {
  const { labels = {} } = nodeName === '' ? {} : (find('nodes', '', nodeName)?.metadata ?? {})
  return Object.fromEntries(Object.entries(labels).filter(([name]) => topologyLabels.includes(name)))
}

/** Adds the labels of its node to a new pod that has one. */
export function addLabelsOfNode({ metadata }: OpenObject, nodeName: string, services: KindServices): void {
  const labels = labelsOfNode(nodeName, services)
  if (Object.keys(labels).length > 0) metadata.labels = { ...metadata.labels, ...labels }
}
