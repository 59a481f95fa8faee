import type { SessionFacts } from './session.js'

/** The facts that a vcluster process sends about itself, by either protocol. */
export interface VClusterFacts
  extends Pick<SessionFacts, 'vclusterName' | 'targetNamespace' | 'currentNamespace'> {
  /** The Service in `currentNamespace` that belongs to this vcluster. */
  serviceName: string
  /** Whether copies shall be owned by that Service. */
  setOwner: boolean
}

/** The facts of a session with a vcluster process. An owner must be in the namespace of its objects. */
export function sessionFacts(
  { vclusterName, targetNamespace, currentNamespace, serviceName, setOwner }: VClusterFacts,
  knownFacts: Pick<SessionFacts, 'pluginName' | 'labelMode'>,
): SessionFacts {
  const owns = setOwner && targetNamespace === currentNamespace
  return {
    ...knownFacts,
    vclusterName,
    targetNamespace,
    currentNamespace,
    ownerService: owns ? serviceName : undefined,
  }
}
