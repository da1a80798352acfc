import { Passkeys1795847500000 } from './1795847500000-passkeys.migration.js';
import { PasswordResets1795847000000 } from './1795847000000-password-resets.migration.js';
import { Accounts1795846000000 } from './1795846000000-accounts.migration.js';
import { EmailClaims1795854000000 } from './1795854000000-email-claims.migration.js';
import { UsageDays1795853000000 } from './1795853000000-usage-days.migration.js';
import { AuditEvents1795852000000 } from './1795852000000-audit-events.migration.js';
import { AgentOnUnsupported1795810000000 } from './1795810000000-agent-on-unsupported.migration.js';
import { AgentPassages1795587228276 } from './1795587228276-agent-passages.migration.js';
import { BackgroundReindex1795563000000 } from './1795563000000-background-reindex.migration.js';
import { DatastoreProgress1795604414903 } from './1795604414903-datastore-progress.migration.js';
import { Groups1795844000000 } from './1795844000000-groups.migration.js';
import { GrowingAnswers1795714195999 } from './1795714195999-growing-answers.migration.js';
import { InitialSchema1764900000000 } from './1764900000000-initial-schema.migration.js';
import { MessageIndexes1795558500000 } from './1795558500000-message-indexes.migration.js';
import { ModelConnections1795800100000 } from './1795800100000-model-connections.migration.js';
import { MessageSentences1795820000000 } from './1795820000000-message-sentences.migration.js';
import { ModelSettings1795713943732 } from './1795713943732-model-settings.migration.js';
import { MonthlyUsage1795559900000 } from './1795559900000-monthly-usage.migration.js';
import { PublishableKeys1795561500000 } from './1795561500000-publishable-keys.migration.js';
import { RunWarnings1795700000000 } from './1795700000000-run-warnings.migration.js';
import { FinishReason1795718651113 } from './1795718651113-finish-reason.migration.js';
import { EqualFiles1795703000000 } from './1795703000000-equal-files.migration.js';
import { Readers1795845000000 } from './1795845000000-readers.migration.js';
import { RunBatches1795830000000 } from './1795830000000-run-batches.migration.js';
import { IdentityProviders1795848000000 } from './1795848000000-identity-providers.migration.js';
import { KeptContentType1795834000000 } from './1795834000000-kept-content-type.migration.js';
import { OwnModels1795838000000 } from './1795838000000-own-models.migration.js';
import { SharedConversations1795850500000 } from './1795850500000-shared-conversations.migration.js';
import { PersonalTokens1795851000000 } from './1795851000000-personal-tokens.migration.js';
import { OwnConversations1795850000000 } from './1795850000000-own-conversations.migration.js';
import { People1795843000000 } from './1795843000000-people.migration.js';
import { Transitions1795833000000 } from './1795833000000-transitions.migration.js';
import { WaitingRuns1795832000000 } from './1795832000000-waiting-runs.migration.js';
import { EventLoopBlocks1795857000000 } from './1795857000000-event-loop-blocks.migration.js';
import { ChosenReaders1795855000000 } from './1795855000000-chosen-readers.migration.js';
import { VerifiedEmails1795856000000 } from './1795856000000-verified-emails.migration.js';
import { UsageReservations1795858000000 } from './1795858000000-usage-reservations.migration.js';
import { TimedOutBlobs1795859000000 } from './1795859000000-timed-out-blobs.migration.js';
import { Scim1795849000000 } from './1795849000000-scim.migration.js';
import { PurgeBatches1795831000000 } from './1795831000000-purge-batches.migration.js';
import { Evaluations1795714674518 } from './1795714674518-evaluations.migration.js';
import { Sessions1795510000000 } from './1795510000000-sessions.migration.js';
import { SitePreviews1795561000000 } from './1795561000000-site-previews.migration.js';
import { Webhooks1795840000000 } from './1795840000000-webhooks.migration.js';
import { Retention1795841000000 } from './1795841000000-retention.migration.js';
import { Erasures1795842000000 } from './1795842000000-erasures.migration.js';
import { SmallBlobs1795668000000 } from './1795668000000-small-blobs.migration.js';

/** In the order in which they are applied. */
export const MIGRATIONS = [
  InitialSchema1764900000000,
  Sessions1795510000000,
  MessageIndexes1795558500000,
  MonthlyUsage1795559900000,
  SitePreviews1795561000000,
  PublishableKeys1795561500000,
  BackgroundReindex1795563000000,
  AgentPassages1795587228276,
  DatastoreProgress1795604414903,
  SmallBlobs1795668000000,
  RunWarnings1795700000000,
  EqualFiles1795703000000,
  ModelSettings1795713943732,
  GrowingAnswers1795714195999,
  Evaluations1795714674518,
  FinishReason1795718651113,
  ModelConnections1795800100000,
  AgentOnUnsupported1795810000000,
  MessageSentences1795820000000,
  RunBatches1795830000000,
  PurgeBatches1795831000000,
  WaitingRuns1795832000000,
  Transitions1795833000000,
  KeptContentType1795834000000,
  OwnModels1795838000000,
  Webhooks1795840000000,
  Retention1795841000000,
  Erasures1795842000000,
  People1795843000000,
  Groups1795844000000,
  Readers1795845000000,
  Accounts1795846000000,
  PasswordResets1795847000000,
  Passkeys1795847500000,
  IdentityProviders1795848000000,
  Scim1795849000000,
  OwnConversations1795850000000,
  SharedConversations1795850500000,
  PersonalTokens1795851000000,
  AuditEvents1795852000000,
  UsageDays1795853000000,
  EmailClaims1795854000000,
  ChosenReaders1795855000000,
  VerifiedEmails1795856000000,
  EventLoopBlocks1795857000000,
  UsageReservations1795858000000,
  TimedOutBlobs1795859000000,
];
