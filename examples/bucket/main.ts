// Starts the operator against the cluster of the current kubeconfig context, or of its pod. The cloud is in memory.
import { createOperator } from 'vcluster-plugin-sdk/operator'
import { FakeCloud } from './cloud.js'
import { register } from './register.js'

const operator = createOperator({ name: 'bucket-operator' })
register(operator, new FakeCloud())
await operator.start()
