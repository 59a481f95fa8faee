import { methodsOf } from '../../engine/grpc/service.js'
import { BackupDefinition } from '../proto/gen/backup.js'
import { IdentityDefinition } from '../proto/gen/identity.js'
import { MetricsDefinition } from '../proto/gen/metrics.js'
import { OperatorDefinition } from '../proto/gen/operator.js'
import { OperatorLifecycleDefinition } from '../proto/gen/operator-lifecycle.js'
import { PostgresDefinition } from '../proto/gen/postgres.js'
import { ReconcilerHooksDefinition } from '../proto/gen/reconciler.js'
import { RestoreJobHooksDefinition } from '../proto/gen/restore-job.js'
import { WALDefinition } from '../proto/gen/wal.js'

/** The methods of the services of a plugin. */
export const backupMethods = methodsOf(BackupDefinition)
export const identityMethods = methodsOf(IdentityDefinition)
export const metricsMethods = methodsOf(MetricsDefinition)
export const operatorMethods = methodsOf(OperatorDefinition)
export const operatorLifecycleMethods = methodsOf(OperatorLifecycleDefinition)
export const postgresMethods = methodsOf(PostgresDefinition)
export const reconcilerHooksMethods = methodsOf(ReconcilerHooksDefinition)
export const restoreJobHooksMethods = methodsOf(RestoreJobHooksDefinition)
export const walMethods = methodsOf(WALDefinition)
