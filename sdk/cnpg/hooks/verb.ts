/** An operation of the operator. `EVALUATE` compares the Pod that it would make now with the one that runs. */
export type Verb = 'CREATE' | 'UPDATE' | 'PATCH' | 'DELETE' | 'EVALUATE'
