import { admissionregistration } from './admissionregistration.js'
import { apiextensions } from './apiextensions.js'
import { apiregistration } from './apiregistration.js'
import { apps } from './apps.js'
import { authentication } from './authentication.js'
import { authorization } from './authorization.js'
import { autoscaling, oldAutoscaling } from './autoscaling.js'
import { batch } from './batch.js'
import type { ApiGroup } from './built-in.js'
import { certificates } from './certificates.js'
import { coordination } from './coordination.js'
import { core } from './core.js'
import { discovery } from './discovery.js'
import { events } from './events.js'
import { flowcontrol } from './flowcontrol.js'
import { networking } from './networking.js'
import { node } from './node.js'
import { policy } from './policy.js'
import { rbac } from './rbac.js'
import { resource } from './resource.js'
import { scheduling } from './scheduling.js'
import { storage } from './storage.js'

/** Every built-in group version, in the order in which discovery lists them. */
export const builtInGroups: readonly ApiGroup[] = [
  core,
  apiregistration,
  apps,
  authentication,
  authorization,
  autoscaling,
  oldAutoscaling,
  batch,
  certificates,
  networking,
  policy,
  rbac,
  storage,
  admissionregistration,
  apiextensions,
  scheduling,
  coordination,
  node,
  discovery,
  resource,
  flowcontrol,
  events,
]
