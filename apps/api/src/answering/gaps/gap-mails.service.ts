import type { Config } from '@citewell/config';
import { chooseLanguage } from '@citewell/contracts/messages';
import { type GapOwner, GapRepository, type GapRow, TenantScope } from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import type { MaintenanceTask } from '../../background/maintenance-task.js';
import { composeMail, type MailText } from '../../identity/mail/compose-mail.js';
import { Mailer } from '../../identity/mail/mailer.service.js';

/** Organizations per execution: the process may have to stop. */
const BATCH = 20;
const DAYS = 7;
/** More subjects of a week than can be. */
const MAX_SUBJECTS = 10_000;
const SHOWN_SUBJECTS = 5;
const MAX_SHOWN_LENGTH = 200;

/** Tells owners of gaps. */
@Injectable()
export class GapMails {
  constructor(
    @Inject(Mailer) private readonly mailer: Pick<Mailer, 'isConfigured' | 'send'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  /** Whether mails can be sent. */
  get isConfigured(): boolean {
    return this.mailer.isConfigured && this.config.PUBLIC_URL !== undefined;
  }

  /**
   * Tells who marked a gap what was found.
   *
   * @param document the name of the document with the passage; null: there is none
   */
  send(owner: GapOwner, question: string, document: string | null): void {
    this.sendTo(owner, (language, link) =>
      composeMail(document === null ? 'gapUnanswered' : 'gapAnswered', {
        language,
        link,
        values: { question, document: document ?? '' },
      }),
    );
  }

  /** @param gaps most frequent first */
  sendWeek(owner: GapOwner, gaps: readonly Pick<GapRow, 'questions' | 'wordings'>[]): void {
    const questions = gaps.reduce((sum, gap) => sum + gap.questions, 0);
    const items = gaps
      .slice(0, SHOWN_SUBJECTS)
      .map((gap) => `${shortened(gap.wordings[0]?.question ?? '')} (${gap.questions})`);
    this.sendTo(owner, (language, link) =>
      composeMail('gapsOfWeek', {
        language,
        link,
        values: { questions: String(questions), subjects: String(gaps.length) },
        items,
      }),
    );
  }

  private sendTo(
    { email, language }: GapOwner,
    compose: (language: ReturnType<typeof chooseLanguage>, link: string) => MailText,
  ): void {
    const { PUBLIC_URL } = this.config;
    if (email === null || !this.isConfigured || PUBLIC_URL === undefined) return;
    const mail = compose(chooseLanguage(language === null ? [] : [language]), `${PUBLIC_URL}/missing`);
    this.mailer.send({ ...mail, to: email });
  }
}

/**
 * Sends owners the open questions of the last week, if the organization wants it and there are some. The database decides which
 * process does so. A process that ends between the claim and the mail sends none: one mail too few is better than two.
 */
@Injectable()
export class WeeklyGapMail implements MaintenanceTask {
  readonly intervalMs = 60_000;

  constructor(
    @Inject(GapRepository)
    private readonly gaps: Pick<GapRepository, 'claimWeeklyMails' | 'list' | 'owners'>,
    @Inject(GapMails) private readonly mails: Pick<GapMails, 'isConfigured' | 'sendWeek'>,
  ) {}

  async run(): Promise<void> {
    if (!this.mails.isConfigured) return;
    for (const organizationId of await this.gaps.claimWeeklyMails(BATCH)) {
      const tenant = new TenantScope(organizationId);
      const gaps = await this.gaps.list(tenant, { limit: MAX_SUBJECTS }, { state: 'open', days: DAYS });
      if (gaps.length === 0) continue;
      for (const owner of await this.gaps.owners(tenant)) this.mails.sendWeek(owner, gaps);
    }
  }
}

function shortened(question: string): string {
  return question.length <= MAX_SHOWN_LENGTH
    ? question
    : `${question.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…`;
}
