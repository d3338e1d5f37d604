import { askQuestion } from 'eve/tools/ask_question'
export default askQuestion()
