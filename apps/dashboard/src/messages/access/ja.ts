import type { access as english } from './en.js';

export const access: Record<keyof typeof english, string> = {
  'groups.title': 'グループ',
  'groups.text':
    '同じグループのメンバーは同じライブラリを閲覧できます。ライブラリを開いて、閲覧できるグループを選びます。',
  'groups.new': '新しいグループ',
  'groups.none': 'グループはまだありません。',
  'groups.name': 'グループ名',
  'groups.create': 'グループを作成',
  'groups.rename': '名前を変更',
  'groups.members': 'メンバー',
  'groups.membersOf': '{name} のメンバー',
  'groups.noMembers': 'このグループにはまだ誰もいません。',
  'groups.addMember': '追加する人を検索',
  'groups.external': 'ID プロバイダーが管理しています',
  'groups.deleteTitle': 'このグループを削除しますか？',
  'groups.deleteText':
    '「{name}」のメンバーは残りますが、メンバーとして閲覧できたものは閲覧できなくなります。',
  'groups.deleteConfirm': 'グループを削除',
  'readers.title': '閲覧できる人',
  'readers.text':
    'オーナーと API キーはすべてのライブラリを閲覧できます。公開エージェントの訪問者には、そのすべてのライブラリから回答します。',
  'readers.everyone': '組織の全員',
  'readers.chosen': '選んだ人とグループ',
  'readers.search': '追加する人とグループを検索',
  'readers.notFound': '見つかりません。',
  'readers.none': '誰も選ばれていません。オーナーだけが閲覧できます。',
  'readers.group': 'グループ',
  'readers.you': 'あなた',
  'readers.add': '{name} を追加',
  'readers.remove': '{name} を外す',
  'readers.restricted': '選んだ人とグループだけが閲覧できます',
};
