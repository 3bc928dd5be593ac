/**
 * What the answers of a service have shown of it. It belongs to one client, or to several that a caller gives it to: another service may
 * have the same address tomorrow.
 */
import { DocumentHabits } from './document-validation.ts';

export class ServiceHabits {
  readonly documents = new DocumentHabits();
}
