import { controller, createOperator } from '../../../sdk/operator/index.js'
import { backups } from './kinds.js'

const operator = createOperator({ name: 'backup-operator' })
operator.register(controller(backups, { reconcile: async () => undefined }))
await operator.start()
