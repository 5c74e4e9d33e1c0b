export { compareFileItems, compareSkillItems } from './menuItems';
