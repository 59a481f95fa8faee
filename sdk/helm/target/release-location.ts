/** The cluster, the namespace and the name of a release. */
export interface ReleaseLocation {
  readonly cluster: string
  readonly namespace: string
  readonly name: string
}

/** Identifies a location. */
export const idOfLocation = ({ cluster, namespace, name }: ReleaseLocation) =>
  `${cluster} ${namespace}/${name}`

/** Whether two locations are one. */
export const isSameLocation = (one: ReleaseLocation | undefined, other: ReleaseLocation | undefined) =>
  one !== undefined && other !== undefined && idOfLocation(one) === idOfLocation(other)

/** A location in a message. */
export const formatLocation = ({ cluster, namespace, name }: ReleaseLocation) =>
  `${name} in ${namespace} of the cluster ${cluster}`
