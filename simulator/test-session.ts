import { NEVER, startWith } from 'rxjs'
import type { Leadership } from '../sdk/engine/leader/leadership.js'
import type { Transport } from '../sdk/engine/transport/transport.js'
import type { LabelMode } from '../sdk/vcluster/context/register-context.js'
import type { Session } from '../sdk/vcluster/plugin/session.js'

/** Options of {@link testSession}. */
export interface TestSessionOptions {
  /** The plugin's name; default `test`. */
  pluginName?: string
  vclusterName: string
  targetNamespace: string
  /** Default `reserved`. */
  labelMode?: LabelMode
  virtual: Transport
  host: Transport
}

/** A session between two clusters of a test. The plugin is the leader from the start. */
export function testSession({
  pluginName = 'test',
  vclusterName,
  targetNamespace,
  labelMode = 'reserved',
  virtual,
  host,
}: TestSessionOptions): Session {
  return {
    facts: {
      pluginName,
      vclusterName,
      targetNamespace,
      currentNamespace: targetNamespace,
      labelMode,
      ownerService: vclusterName,
    },
    virtual,
    host,
    announce: async () => {},
    lead: () => alwaysLeader,
    close: async () => {
      await Promise.all([virtual.close(), host.close()])
    },
  }
}

const alwaysLeader: Leadership = {
  leader$: NEVER.pipe(startWith(true)),
  deadline: () => Number.POSITIVE_INFINITY,
  release: async () => {},
}
