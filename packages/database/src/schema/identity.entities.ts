import type { GroupRole, Role } from '@citewell/contracts/schemas';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { CountColumn, CreatedAt, IdColumn, InstantColumn } from './columns.js';
import { OrganizationEntity } from './tenancy.entities.js';

/**
 * The credentials of somebody who signs in without an identity provider, for one or more people: one of each organization.
 * A trigger removes the account with its last person.
 */
@Entity('accounts')
export class AccountEntity {
  @PrimaryColumn('uuid') id!: string;
  /**
   * The verified e-mail, in lower case and unique in the installation: an invitation, or a mail that was answered, vouches for
   * it. Null while only the person has asserted the e-mail. The people of the account have the e-mail in both cases.
   */
  @Column('text', { unique: true, nullable: true }) email!: string | null;
  /** Argon2id, in PHC string format. */
  @Column('text') passwordHash!: string;
  @CreatedAt() createdAt!: Date;
}

/** The membership of somebody in one organization, with a role. */
@Entity('people')
@Index(['organizationId'])
@Unique(['organizationId', 'id'])
@Index(['accountId'])
@Index(['email'])
@Unique(['organizationId', 'email'])
export class PersonEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  /** Null until a password is set: before the invitation is accepted, and for people of an identity provider. */
  @IdColumn({ nullable: true }) @ForeignKey(() => AccountEntity) accountId!: string | null;
  @Column('text') role!: Role;
  /** In lower case. Null for the first owner, until this person chooses one. */
  @Column('text', { nullable: true }) email!: string | null;
  /**
   * Whether only the person has asserted the e-mail, in the profile. Then it does not say to an identity provider or over
   * SCIM who the person is.
   */
  @Column('boolean', { default: false }) emailClaimed!: boolean;
  /** The e-mail that replaces the present one when the link that was sent to it is opened. */
  @Column('text', { nullable: true }) nextEmail!: string | null;
  /** SHA-256 of the token of that link, hex. */
  @Column('text', { nullable: true }) nextEmailHash!: string | null;
  @InstantColumn({ nullable: true }) nextEmailExpiresAt!: Date | null;
  @Column('text', { nullable: true }) name!: string | null;
  /** Null: the language of the browser. */
  @Column('text', { nullable: true }) language!: string | null;
  /** Always null: accounts have the passwords. A later release removes the column. */
  @Column('text', { nullable: true, select: false, name: 'password_hash' }) formerPasswordHash?: null;
  /** SHA-256 of the token of an invitation, or of a link that sets a new password, hex. It works once. */
  @Column('text', { nullable: true, unique: true }) linkHash!: string | null;
  @InstantColumn({ nullable: true }) linkExpiresAt!: Date | null;
  /** When the person last began a session. Null before the invitation is accepted. */
  @InstantColumn({ nullable: true }) signedInAt!: Date | null;
  /** Since then the person cannot sign in. Null: the person can. */
  @InstantColumn({ nullable: true }) disabledAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}

/** People of an organization who may read the same libraries. */
@Entity('groups')
@Unique(['organizationId', 'id'])
@Unique(['organizationId', 'nameKey'])
@Unique(['organizationId', 'externalId'])
export class GroupEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @Column('text') name!: string;
  /** See `groupNameKey`: two groups of an organization do not differ in case alone. */
  @Column('text') nameKey!: string;
  /** The id at the identity provider that manages the group. Null: the group is managed here. */
  @Column('text', { nullable: true }) externalId!: string | null;
  @CreatedAt() createdAt!: Date;
}

/** A person in a group. */
@Entity('group_members')
@ForeignKey(() => GroupEntity, ['organizationId', 'groupId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@ForeignKey(() => PersonEntity, ['organizationId', 'personId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
@Index(['organizationId', 'personId'])
export class GroupMemberEntity {
  @PrimaryColumn('uuid') organizationId!: string;
  @PrimaryColumn('uuid') groupId!: string;
  @PrimaryColumn('uuid') personId!: string;
}

/** A bearer key of one organization, or a personal access token of one of its people. Only its hash is stored. */
@Entity('api_keys')
@Index(['organizationId'])
@Index('api_keys_of_person', ['personId'], { where: 'person_id IS NOT NULL' })
// By name: the entities of answering import those of people.
@ForeignKey('AgentEntity', ['organizationId', 'agentId'], ['organizationId', 'id'], {
  onDelete: 'CASCADE',
})
export class ApiKeyEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @Column('text') name!: string;
  /** The first characters, by which users recognise the key. */
  @Column('text') prefix!: string;
  /** SHA-256 of the key, hex. The key has more than 128 random bits, so a slow hash would add nothing. */
  @Column('text', { unique: true }) hash!: string;
  @Column('text', { array: true }) scopes!: string[];
  @InstantColumn({ nullable: true }) expiresAt!: Date | null;
  /** Whose token this is. Null: an API key. */
  @IdColumn({ nullable: true })
  @ForeignKey(() => PersonEntity, { onDelete: 'CASCADE' })
  personId!: string | null;
  /** The only agent that a publishable key may ask. Null: the key is not publishable. */
  @IdColumn({ nullable: true }) agentId!: string | null;
  /** Origins of the pages that may use a publishable key. */
  @Column('text', { array: true, nullable: true }) allowedOrigins!: string[] | null;
  /** Messages per day (UTC) with a publishable key. */
  @Column('int', { nullable: true }) dailyLimit!: number | null;
  /** The day that `messages` counts. */
  @Column('date', { nullable: true }) messagesOn!: string | null;
  @Column('int', { nullable: true }) messages!: number | null;
  @CreatedAt() createdAt!: Date;
}

/** A browser that is signed in, by a person or with an API key. Removing either ends the session. */
@Entity('sessions')
@Index(['organizationId'])
@Index(['apiKeyId'])
@Index(['personId'])
@Index(['accountId'])
@Index(['expiresAt'])
export class SessionEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  /** Null in the session of a person. */
  @IdColumn({ nullable: true })
  @ForeignKey(() => ApiKeyEntity, { onDelete: 'CASCADE' })
  apiKeyId!: string | null;
  /** Null in a session that a key has begun. */
  @IdColumn({ nullable: true })
  @ForeignKey(() => PersonEntity, { onDelete: 'CASCADE' })
  personId!: string | null;
  /** The account whose password or passkey began the session. Null for a key, a link of the server, or an identity provider. */
  @IdColumn({ nullable: true })
  @ForeignKey(() => AccountEntity, { onDelete: 'CASCADE' })
  accountId!: string | null;
  /** SHA-256 of the session token, hex. */
  @Column('text', { unique: true }) hash!: string;
  /** Of the browser that signed in, truncated. */
  @Column('text', { nullable: true }) userAgent!: string | null;
  @InstantColumn() expiresAt!: Date;
  @CreatedAt() createdAt!: Date;
}

/** A credential of WebAuthn with which somebody signs in to an account, in place of its password. */
@Entity('passkeys')
@Index(['accountId'])
export class PasskeyEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => AccountEntity, { onDelete: 'CASCADE' }) accountId!: string;
  /** As the authenticator has chosen it, base64url. */
  @Column('text', { unique: true }) credentialId!: string;
  /** In COSE format. */
  @Column('bytea') publicKey!: Uint8Array;
  /** How often the authenticator says that it has signed. Always 0 for passkeys that are copied between devices. */
  @CountColumn() counter!: number;
  /** How a browser reaches the authenticator, such as `usb` or `internal`. */
  @Column('text', { array: true }) transports!: string[];
  /** Chosen by the person. */
  @Column('text') name!: string;
  @CreatedAt() createdAt!: Date;
  @InstantColumn({ nullable: true }) lastUsedAt!: Date | null;
}

/** A challenge that a browser has to have signed. It works once, in this browser. */
@Entity('passkey_challenges')
@Index(['accountId'])
@Index(['expiresAt'])
export class PasskeyChallengeEntity {
  /** SHA-256 of the token in the cookie of the browser, hex. */
  @PrimaryColumn('text') hash!: string;
  /** Base64url. */
  @Column('text') challenge!: string;
  /** The account that gets a passkey. Null to sign in. */
  @IdColumn({ nullable: true })
  @ForeignKey(() => AccountEntity, { onDelete: 'CASCADE' })
  accountId!: string | null;
  @InstantColumn() expiresAt!: Date;
}

/** A link with which the owner of an e-mail sets a new password of the account. All of an account end when one is used. */
@Entity('password_resets')
@Index(['accountId'])
@Index(['expiresAt'])
export class PasswordResetEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => AccountEntity, { onDelete: 'CASCADE' }) accountId!: string;
  /** SHA-256 of the token, hex. */
  @Column('text', { unique: true }) hash!: string;
  @InstantColumn() expiresAt!: Date;
  @CreatedAt() createdAt!: Date;
}

/** A provider of OpenID Connect at which people of an organization sign in. */
@Entity('identity_providers')
@Index(['organizationId'])
export class IdentityProviderEntity {
  @PrimaryColumn('uuid') id!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  /** Shown on the button of the sign-in page. */
  @Column('text') name!: string;
  @Column('text') issuer!: string;
  /** Null until the application is registered at the provider. Nobody signs in until then. */
  @Column('text', { nullable: true }) clientId!: string | null;
  /** Null for a public client. */
  @Column('text', { nullable: true }) sealedClientSecret!: string | null;
  /** Names with a space between them. */
  @Column('text') scopes!: string;
  /** In lower case. Empty: all. */
  @Column('text', { array: true }) emailDomains!: string[];
  /** Null: only people who are invited or have a mapped group get in. */
  @Column('text', { nullable: true }) defaultRole!: Extract<Role, 'editor' | 'member'> | null;
  @Column('text') groupsClaim!: string;
  @Column('jsonb') groupRoles!: GroupRole[];
  @CreatedAt() createdAt!: Date;
}

/** A person at a provider. */
@Entity('identities')
@Index(['organizationId'])
@Index(['personId'])
export class IdentityEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => IdentityProviderEntity, { onDelete: 'CASCADE' })
  providerId!: string;
  /** The claim `sub`, which the provider never gives to another person. */
  @PrimaryColumn('text') subject!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @IdColumn() @ForeignKey(() => PersonEntity, { onDelete: 'CASCADE' }) personId!: string;
  /** The role that the groups gave when they were last read. Null: none. */
  @Column('text', { nullable: true }) groupRole!: Role | null;
  @CreatedAt() createdAt!: Date;
}

/** A browser that has been sent to a provider and has not come back yet. */
@Entity('provider_sign_ins')
@Index(['organizationId'])
@Index(['providerId'])
@Index(['expiresAt'])
export class ProviderSignInEntity {
  /** SHA-256 of the parameter `state`, hex. */
  @PrimaryColumn('text') stateHash!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @IdColumn() @ForeignKey(() => IdentityProviderEntity, { onDelete: 'CASCADE' }) providerId!: string;
  /** SHA-256 of the cookie that only this browser has, hex. */
  @Column('text') browserHash!: string;
  @Column('text') nonce!: string;
  @Column('text') codeVerifier!: string;
  /** Path of the page that the person wants to see. */
  @Column('text') returnPath!: string;
  /** SHA-256 of the token of the session that the browser had, hex. */
  @Column('text', { nullable: true }) previousSessionHash!: string | null;
  @InstantColumn() expiresAt!: Date;
}

/** What a session that began at a provider needs of it. */
@Entity('provider_sessions')
@Index(['organizationId'])
@Index(['providerId', 'subject'])
@Index('provider_sessions_due', ['checkAt'], { where: 'check_at IS NOT NULL' })
export class ProviderSessionEntity {
  @PrimaryColumn('uuid') @ForeignKey(() => SessionEntity, { onDelete: 'CASCADE' }) sessionId!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @IdColumn() @ForeignKey(() => IdentityProviderEntity, { onDelete: 'CASCADE' }) providerId!: string;
  @Column('text') subject!: string;
  /** Encrypted: the refresh token, if there is one, and the ID token, with which the person signs out. */
  @Column('text') sealedTokens!: string;
  /** When the provider is asked next whether the person is still there. Null without a refresh token. */
  @InstantColumn({ nullable: true }) checkAt!: Date | null;
}

/** What an identity provider says of a person over SCIM, besides name and e-mail. */
@Entity('scim_users')
@Unique(['organizationId', 'userNameKey'])
@Unique(['organizationId', 'externalId'])
export class ScimUserEntity {
  @PrimaryColumn('uuid') @ForeignKey(() => PersonEntity, { onDelete: 'CASCADE' }) personId!: string;
  @IdColumn() @ForeignKey(() => OrganizationEntity, { onDelete: 'CASCADE' }) organizationId!: string;
  @Column('text') userName!: string;
  /** In lower case: two names that differ in case alone are one user. */
  @Column('text') userNameKey!: string;
  @Column('text', { nullable: true }) externalId!: string | null;
  @Column('text', { nullable: true }) givenName!: string | null;
  @Column('text', { nullable: true }) familyName!: string | null;
}
